import { verify } from 'node:crypto';
import { invalid } from '@loyalty/platform/base/errors';
import { noticePublicKey } from '../providers/provider-config.ts';
import {
  bounceDetail,
  checkSignedAt,
  eventTime,
  type MailNotice,
  objectOf,
  readJson,
  type SignedNotice,
  secondsOf,
  signatureInvalid,
  textOf,
} from './notice.ts';

const kinds = new Map<unknown, MailNotice['kind']>([
  ['delivered', 'DELIVERED'],
  ['bounce', 'BOUNCED'],
  ['spamreport', 'COMPLAINED'],
]);

/**
 * Reads notices of SendGrid, many in one body:
 * https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event
 *
 * @throws AppError SIGNATURE_INVALID (400), VALIDATION_FAILED (400)
 */
export function readSendgridNotices(publicKey: string, signed: SignedNotice, now: Date): MailNotice[] {
  checkSignature(publicKey, signed, now);
  const events = readJson(signed.payload);
  if (!Array.isArray(events)) throw invalid('payload', 'must be a list of events');
  return events.map(objectOf).flatMap((event) => noticeOf(event, now) ?? []);
}

function checkSignature(publicKey: string, signed: SignedNotice, now: Date): void {
  const { payload, signedAt, signature } = signed;
  if (!signature) throw signatureInvalid();
  checkSignedAt(secondsOf(signedAt) * 1_000, now);
  const bytes = Buffer.from(signedAt + payload);
  if (!isSigned(bytes, publicKey, Buffer.from(signature, 'base64'))) throw signatureInvalid();
}

function isSigned(bytes: Buffer, publicKey: string, signature: Buffer): boolean {
  try {
    return verify('sha256', bytes, noticePublicKey(publicKey), signature);
  } catch {
    return false;
  }
}

/** Null for events that are not counted, and for messages that were not sent by this product. */
function noticeOf(event: Readonly<Record<string, unknown>>, now: Date): MailNotice | null {
  const kind = kinds.get(event['event']);
  const noticeId = textOf(event['sg_event_id']);
  const messageId = textOf(event['message_id']);
  if (!kind || !noticeId || !messageId) return null;
  // "Blocked" means a temporary refusal, for example by a full mailbox or a filter.
  const isPermanent = kind === 'BOUNCED' && event['type'] !== 'blocked';
  return {
    noticeId,
    kind,
    isPermanent,
    detail: kind === 'BOUNCED' ? bounceDetail(isPermanent, event['status']) : null,
    messageId,
    providerMessageId: null,
    occurredAt: eventTime(event['timestamp'], now),
  };
}
