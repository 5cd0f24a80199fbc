import { type AppError, invalid } from '@loyalty/platform/base/errors';

/** What a provider says of one message. */
export interface MailNotice {
  /** As the provider names it: the same notice has the same id, however often it comes. */
  readonly noticeId: string;
  readonly kind: 'DELIVERED' | 'BOUNCED' | 'COMPLAINED';
  /** Of a bounce: further messages would be returned, too. */
  readonly isPermanent: boolean;
  /** Of a bounce: whether it is permanent, and the status code of RFC 3463 where it is known. */
  readonly detail: string | null;
  /** The product's own id of the message, which it gave the provider. */
  readonly messageId: string | null;
  readonly providerMessageId: string | null;
  readonly occurredAt: Date;
}

/** What was signed, and the headers of the signature. */
export interface SignedNotice {
  readonly payload: string;
  readonly signatureId?: string | null | undefined;
  readonly signedAt?: string | null | undefined;
  readonly signature?: string | null | undefined;
}

export const signatureInvalid = (): AppError =>
  invalid('signature', 'does not fit the notice, or is too old', 'SIGNATURE_INVALID');

const SIGNED_MS_MAX = 5 * 60_000;

/**
 * A signature is good for five minutes around the time that it names.
 *
 * @throws AppError SIGNATURE_INVALID (400)
 */
export function checkSignedAt(signedAtMs: number, now: Date, ageMs = SIGNED_MS_MAX): void {
  const age = now.getTime() - signedAtMs;
  if (!(age <= ageMs && age >= -SIGNED_MS_MAX)) throw signatureInvalid();
}

/** The JSON of a notice. @throws AppError VALIDATION_FAILED (400) */
export function readJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    throw invalid('payload', 'must be JSON');
  }
}

/** A part of JSON that is an object; an empty one for anything else. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value ? value : null);

const STATUS_CODE = /\b[45]\.\d{1,3}\.\d{1,3}\b/;

/** What is kept of a bounce: no words of the receiving server, which repeat addresses. */
export function bounceDetail(isPermanent: boolean, status: unknown): string {
  const [code = ''] = STATUS_CODE.exec(textOf(status) ?? '') ?? [];
  return `${isPermanent ? 'permanent' : 'transient'} ${code}`.trim();
}

/** The time of an event, which is not in the future; now where it is missing. */
export function eventTime(value: unknown, now: Date): Date {
  const at = new Date(typeof value === 'number' ? value * 1_000 : (textOf(value) ?? Number.NaN));
  return Number.isNaN(at.getTime()) || at > now ? now : at;
}

/** Seconds since 1970 as a header has them; NaN for anything else. */
export const secondsOf = (text: string | null | undefined): number =>
  text && /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
