import { endOfWait } from '@loyalty/platform/caller/create-context';
import type { Context } from '@loyalty/platform/context';
import { conflict } from '@loyalty/platform/errors';
import { audit } from '@loyalty/platform/operations/audit';
import { checkEmail } from '@loyalty/platform/values/email';
import { newId } from '@loyalty/platform/values/ids';
import { findEmailSuppression } from '../../suppressions/suppressions.service.ts';
import { noteOutcome } from '../provider-health/provider-health.service.ts';
import { platformTransport } from '../transports/platform.ts';
import { failed, type MailTransport, type OutgoingMail, type Sent } from '../transports/transport.ts';
import { getProvider } from './email-providers.service.ts';
import { openSecret, type StoredProvider } from './email-providers.store.ts';
import { PLATFORM_PROVIDER_ID } from './platform-provider.ts';
import { transportOf } from './provider-transport.ts';

/** How a provider answered a test mail. */
export interface EmailAttempt {
  readonly outcome: Sent['outcome'];
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly providerMessageId: string | null;
}

const TIMEOUT_MS_MAX = 10_000;
const TIMEOUT_MS_MIN = 1_000;

/**
 * Sends a test mail through this provider alone, even if it is disabled or paused. A success ends a pause.
 *
 * @throws AppError EMAIL_PROVIDER_NOT_FOUND (404), ADDRESS_SUPPRESSED (409), VALIDATION_FAILED (400)
 */
export async function testEmailProvider(ctx: Context, id: string, to: string): Promise<EmailAttempt> {
  const address = checkEmail('to', to);
  const provider = id === PLATFORM_PROVIDER_ID ? null : await getProvider(ctx, id);
  if ((await findEmailSuppression(ctx, address)).isSuppressed)
    throw conflict('ADDRESS_SUPPRESSED', 'This address must not be mailed: it is suppressed.');
  const begun = performance.now();
  const sent = await sendTest(ctx, provider, testMail(newId(ctx.clock), address));
  const durationMs = Math.round(performance.now() - begun);
  if (provider) await noteOutcome(ctx, { id, health: provider }, sent);
  const { outcome, responseStatus: status, error, providerMessageId } = sent;
  const after = { outcome, status };
  await audit(ctx, { action: 'testEmailProvider', resourceType: 'EmailProvider', resourceId: id, after });
  return { outcome, status, error, durationMs, providerMessageId };
}

async function sendTest(ctx: Context, provider: StoredProvider | null, mail: OutgoingMail): Promise<Sent> {
  const leftMs = Math.round(endOfWait(ctx, TIMEOUT_MS_MAX) - performance.now());
  let transport: MailTransport;
  try {
    transport = provider ? transportOf(provider, await openSecret(ctx, provider)) : platformTransport(ctx);
  } catch {
    return failed('UNAVAILABLE', null, 'The stored configuration cannot be read: enter it again.');
  }
  return transport.send(ctx, mail, Math.max(TIMEOUT_MS_MIN, leftMs));
}

const testMail = (messageId: string, to: string): OutgoingMail => ({
  messageId,
  idempotencyKey: messageId,
  to,
  subject: 'Test of your e-mail provider',
  html: '<p>This mail shows that your loyalty programme can send through this provider.</p>',
  text: 'This mail shows that your loyalty programme can send through this provider.',
  headers: {},
});
