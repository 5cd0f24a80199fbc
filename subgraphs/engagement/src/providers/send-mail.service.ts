import { checkEmail } from '@loyalty/platform/base/email';
import { conflict } from '@loyalty/platform/base/errors';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { endOfWait } from '@loyalty/platform/database/create-context';
import { loader } from '@loyalty/platform/database/loaders';
import { audit } from '@loyalty/platform/identity/audit';
import { findEmailSuppression } from '../suppressions/suppressions.service.ts';
import { getProvider, PLATFORM_PROVIDER_ID } from './email-providers.service.ts';
import { allProviders, openSecret, type StoredProvider } from './email-providers.store.ts';
import {
  customRestTransport,
  type RestMapping,
  resendTransport,
  sendgridTransport,
} from './key-transports.ts';
import { platformTransport } from './platform-transport.ts';
import type { ProviderSecret } from './provider-config.ts';
import { mayTry, recordOutcome, type WatchedProvider } from './provider-health.service.ts';
import { sesTransport } from './ses-transport.ts';
import {
  failed,
  type MailTransport,
  type OutgoingMail,
  type Sender,
  type SendOutcome,
  type Sent,
} from './transport.ts';

export type { OutgoingMail } from './transport.ts';

/** A finished attempt to send a message. */
export interface Handover {
  /** Null for the platform's own provider. */
  readonly providerId: string | null;
  readonly providerKind: string;
  readonly outcome: SendOutcome;
  readonly responseStatus: number | null;
  /** A sentence without addresses, content or secrets; null if it was accepted. */
  readonly error: string | null;
  readonly providerMessageId: string | null;
  readonly durationMs: number;
  /** The provider sends the message only once, even if it receives it again with the same key. */
  readonly isIdempotent: boolean;
}

/** The log of attempts. */
export interface HandoverLog {
  /** Records the start of an attempt. @returns its number, for `ended` */
  started(provider: { readonly id: string | null; readonly kind: string }): Promise<number>;
  ended(number: number, handover: Handover): Promise<void>;
}

export interface HandoverOptions extends HandoverLog {
  /** Ids of providers that are not tried. */
  readonly skip?: ReadonlySet<string>;
  /** The result of `providersFor`, for a batch whose context changes. */
  readonly providers?: MailProviders;
}

/** A usable provider with its transport. */
interface MailProvider extends WatchedProvider {
  readonly kind: StoredProvider['kind'];
  readonly transport: MailTransport;
}

/** The enabled providers of a workspace in their order, for one batch of messages. */
export type MailProviders = readonly MailProvider[];

const TIMEOUT_MS = 10_000;

/**
 * Sends a message through the first provider that accepts it. The last one is the platform's own. Providers
 * that are disabled, paused, or whose configuration cannot be read are skipped. In test mode the workspace's
 * providers are skipped.
 *
 * @returns the accepted attempt, or the last one
 * @remarks Source: loyalty services, section 2 "Fallback". Do not call it in a transaction: each provider may
 * take 10 s.
 */
export async function handOver(
  ctx: Context,
  mail: OutgoingMail,
  options: HandoverOptions,
): Promise<Handover> {
  for (const provider of options.providers ?? (await providersFor(ctx))) {
    if (options.skip?.has(provider.id) || !(await mayTry(ctx, provider))) continue;
    const handover = await attempt(ctx, provider, mail, options);
    await recordHealth(ctx, provider, handover);
    if (handover.outcome === 'ACCEPTED') return handover;
  }
  return attempt(ctx, { id: null, kind: 'PLATFORM', transport: platformTransport(ctx) }, mail, options);
}

/**
 * Records the health of a provider. A failure is only logged, because the attempt of the message is recorded
 * already.
 */
async function recordHealth(ctx: Context, provider: MailProvider, handover: Handover): Promise<void> {
  try {
    await recordOutcome(ctx, provider, handover);
  } catch (error) {
    ctx.log.warn({ err: error, providerId: provider.id }, 'the health of a mail provider cannot be noted');
  }
}

/**
 * Returns the usable providers of the workspace, read once for all messages of a context. Changes of other
 * processes apply to the next batch.
 */
export const providersFor = async (ctx: Context): Promise<MailProviders> =>
  ctx.scope.mode === 'TEST' ? [] : ((await ctx.load(usableProviders, ctx.scope.workspaceId)) ?? []);

const usableProviders = loader(async (ctx, workspaceIds: readonly string[]) => {
  const enabled = (await allProviders(ctx)).filter(({ isEnabled }) => isEnabled);
  const opened = await Promise.all(enabled.map((provider) => openProvider(ctx, provider)));
  return new Map(workspaceIds.map((id) => [id, opened.filter((provider) => provider !== null)]));
});

/** Opens a provider. Returns null if its configuration cannot be read. */
async function openProvider(ctx: Context, provider: StoredProvider): Promise<MailProvider | null> {
  const { id, kind } = provider;
  try {
    return { id, kind, health: provider, transport: transportOf(provider, await openSecret(ctx, provider)) };
  } catch {
    // The error is not logged, because it may contain a part of the configuration.
    ctx.log.warn({ providerId: id, kind }, 'the configuration of a mail provider cannot be read');
    return null;
  }
}

async function attempt(
  ctx: Context,
  { id, kind, transport }: { id: string | null; kind: string; transport: MailTransport },
  mail: OutgoingMail,
  log: HandoverLog,
): Promise<Handover> {
  const number = await log.started({ id, kind });
  const begun = performance.now();
  const sent = await transport.send(ctx, mail, TIMEOUT_MS);
  const handover = {
    ...sent,
    providerId: id,
    providerKind: kind,
    durationMs: Math.round(performance.now() - begun),
    isIdempotent: transport.isIdempotent,
  };
  await log.ended(number, handover);
  return handover;
}

/** The result of a test mail. */
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
  if (provider) await recordOutcome(ctx, { id, health: provider }, sent);
  const { outcome, responseStatus: status, error, providerMessageId } = sent;
  const after = { outcome, status };
  await audit(ctx, { action: 'testEmailProvider', resourceType: 'EmailProvider', resourceId: id, after });
  return { outcome, status, error, durationMs, providerMessageId };
}

async function sendTest(ctx: Context, provider: StoredProvider | null, mail: OutgoingMail): Promise<Sent> {
  const leftMs = Math.round(endOfWait(ctx.request, TIMEOUT_MS_MAX) - performance.now());
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

/** Creates the transport of a provider. @throws Error if configuration and secret do not fit its kind */
function transportOf(
  { kind, config }: Pick<StoredProvider, 'kind' | 'config'>,
  secret: ProviderSecret,
): MailTransport {
  const sender: Sender = { address: config.fromAddress, name: config.fromName };
  if (kind === 'SES') {
    if (!('accessKeyId' in secret) || !config.region) throw unreadable();
    const { region, endpoint, configurationSet } = config;
    return sesTransport({ region, endpoint, configurationSet, ...secret }, sender);
  }
  if (!('apiKey' in secret) || !config.endpoint) throw unreadable();
  if (kind === 'CUSTOM_REST') return customRestTransport(config as RestMapping, secret.apiKey, sender);
  const transport = kind === 'RESEND' ? resendTransport : sendgridTransport;
  return transport(config.endpoint, secret.apiKey, sender);
}

const unreadable = () => new Error('The configuration of a mail provider is incomplete.');
