import { systemCaller } from '@loyalty/platform/base/caller';
import { isUuid } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { findByProviderMessage, recordMessageEvent } from '../messages/message-events.service.ts';
import { findNoticeKey } from '../providers/email-providers.service.ts';
import { suppressBounced, suppressComplained } from '../suppressions/suppressions.service.ts';
import { type MailNotice, type SignedNotice, signatureInvalid } from './notice.ts';
import { insertNotices, messagesById, type SentMessage } from './notices.store.ts';
import { readResendNotices } from './resend-notices.ts';
import { readSendgridNotices } from './sendgrid-notices.ts';
import { readSesNotices } from './ses-notices.ts';

interface ReceivedNotice extends SignedNotice {
  readonly workspaceId: string;
  readonly providerId: string;
}

/**
 * Accepts webhook notices of a mail provider. The signature authenticates the call. A repeated notice counts
 * once. A permanent bounce and a complaint suppress the address. Other bounces are only recorded. Messages
 * that the workspace did not send are ignored.
 *
 * @throws AppError SIGNATURE_INVALID (400), also for an unknown provider; VALIDATION_FAILED (400),
 * NOTICE_UNVERIFIED (503)
 * @remarks Source: loyalty services, section 2 "Deliverability"
 */
export async function receiveEmailNotice(ctx: Context, received: ReceivedNotice): Promise<void> {
  const { workspaceId, providerId } = received;
  const own = ctx.as(systemCaller('email-notices', { workspaceId, mode: 'LIVE' }));
  const notices = await readNotices(own, received);
  if (notices.length > 0) await own.transaction((tx) => takeNotices(tx, providerId, notices));
}

async function readNotices(ctx: Context, received: ReceivedNotice): Promise<readonly MailNotice[]> {
  const provider = await findNoticeKey(ctx, received.providerId);
  if (!provider) throw signatureInvalid();
  const { kind, key } = provider;
  if (kind === 'SES') return readSesNotices(ctx, key, received);
  const read = kind === 'SENDGRID' ? readSendgridNotices : readResendNotices;
  return read(key, received, ctx.clock.now());
}

/** A notice about a message of the workspace. */
interface Known {
  readonly notice: MailNotice;
  readonly message: SentMessage;
}

async function takeNotices(tx: Context, providerId: string, notices: readonly MailNotice[]): Promise<void> {
  const byId = new Map(notices.map((notice) => [notice.noticeId, notice]));
  const fresh = await insertNotices(tx, providerId, [...byId.keys()]);
  const counted = [...byId.values()].filter(({ noticeId }) => fresh.has(noticeId));
  const known = await knownAmong(tx, providerId, counted);
  const { workspaceId } = tx.scope;
  for (const [mode, ofMode] of Map.groupBy(known, ({ message }) => message.mode)) {
    await takeEvents(tx.as(systemCaller('email-notices', { workspaceId, mode })), ofMode);
  }
}

/**
 * Returns notices about known messages, in the order of the messages, so that two concurrent calls about the
 * same messages cannot deadlock.
 */
async function knownAmong(tx: Context, providerId: string, notices: readonly MailNotice[]): Promise<Known[]> {
  const ids = notices.flatMap(({ messageId }) => (messageId && isUuid(messageId) ? [messageId] : []));
  const byId = await messagesById(tx, ids);
  const known: Known[] = [];
  for (const notice of notices) {
    const { messageId, providerMessageId } = notice;
    let message = messageId ? (byId.get(messageId.toLowerCase()) ?? null) : null;
    if (!messageId && providerMessageId)
      message = await findByProviderMessage(tx, providerId, providerMessageId);
    if (message) known.push({ notice, message });
  }
  return known.sort((a, b) => (a.message.id < b.message.id ? -1 : 1));
}

async function takeEvents(tx: Context, known: readonly Known[]): Promise<void> {
  for (const { notice, message } of known) {
    const { kind, detail, occurredAt } = notice;
    await recordMessageEvent(tx, { messageId: message.id, kind, occurredAt, ...(detail && { detail }) });
  }
  const bounced = known.filter(({ notice }) => notice.isPermanent);
  const complained = known.filter(({ notice }) => notice.kind === 'COMPLAINED');
  if (bounced.length > 0) await suppressBounced(tx, indexesOf(bounced));
  if (complained.length > 0) await suppressComplained(tx, indexesOf(complained));
}

const indexesOf = (known: readonly Known[]): string[] =>
  [...new Set(known.map(({ message }) => message.emailIndex))].sort();
