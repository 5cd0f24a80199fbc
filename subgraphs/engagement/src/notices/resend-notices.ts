import { timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
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
  ['email.delivered', 'DELIVERED'],
  ['email.bounced', 'BOUNCED'],
  ['email.complained', 'COMPLAINED'],
]);

/**
 * Reads notices of Resend, and of providers with the same format, signed by Standard Webhooks or Svix:
 * https://resend.com/docs/dashboard/webhooks/event-types
 *
 * @throws AppError SIGNATURE_INVALID (400), VALIDATION_FAILED (400)
 */
export function readResendNotices(secret: string, signed: SignedNotice, now: Date): MailNotice[] {
  const id = checkSignature(secret, signed, now);
  const { type, data, created_at } = objectOf(readJson(signed.payload));
  const kind = kinds.get(type);
  if (!kind) return [];
  const { email_id, bounce, tags } = objectOf(data);
  const { type: bounceType, message } = objectOf(bounce);
  const isPermanent = kind === 'BOUNCED' && (bounceType === undefined || bounceType === 'Permanent');
  return [
    {
      noticeId: id,
      kind,
      isPermanent,
      detail: kind === 'BOUNCED' ? bounceDetail(isPermanent, message) : null,
      messageId: tagOf(tags),
      providerMessageId: textOf(email_id),
      occurredAt: eventTime(created_at, now),
    },
  ];
}

/** Checks the signature. @returns the signed id */
function checkSignature(secret: string, signed: SignedNotice, now: Date): string {
  const { payload, signatureId: id, signedAt, signature } = signed;
  if (!id || !signature) throw signatureInvalid();
  const signedAtMs = secondsOf(signedAt) * 1_000;
  checkSignedAt(signedAtMs, now);
  const expected = Buffer.from(new Webhook(secret).sign(id, new Date(signedAtMs), payload));
  const isSigned = signature.split(' ').some((each) => {
    const candidate = Buffer.from(each);
    return candidate.length === expected.length && timingSafeEqual(candidate, expected);
  });
  if (!isSigned) throw signatureInvalid();
  return id;
}

/** Resend sends tags as an object; formerly they were a list. */
function tagOf(tags: unknown): string | null {
  if (!Array.isArray(tags)) return textOf(objectOf(tags)['message_id']);
  const found = tags.map(objectOf).find(({ name }) => name === 'message_id');
  return textOf(found?.['value']);
}
