import { type AppError, invalid } from '@loyalty/platform/base/errors';

/** A provider's notice about a message. */
export interface MailNotice {
  /** The provider's id of the notice. A repeated notice has the same id. */
  readonly noticeId: string;
  readonly kind: 'DELIVERED' | 'BOUNCED' | 'COMPLAINED';
  /** For a bounce: further messages would also bounce. */
  readonly isPermanent: boolean;
  /** For a bounce: whether it is permanent, and the status code of RFC 3463 if known. */
  readonly detail: string | null;
  /** The product's id of the message, which was sent to the provider. */
  readonly messageId: string | null;
  readonly providerMessageId: string | null;
  readonly occurredAt: Date;
}

/** The signed payload and the headers of the signature. */
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
 * Checks the time of a signature: it is valid for five minutes before and after it.
 *
 * @throws AppError SIGNATURE_INVALID (400)
 */
export function checkSignedAt(signedAtMs: number, now: Date, ageMs = SIGNED_MS_MAX): void {
  const age = now.getTime() - signedAtMs;
  if (!(age <= ageMs && age >= -SIGNED_MS_MAX)) throw signatureInvalid();
}

/** Parses the JSON of a notice. @throws AppError VALIDATION_FAILED (400) */
export function readJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    throw invalid('payload', 'must be JSON');
  }
}

/** Returns a value of JSON if it is an object, else an empty object. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

export const textOf = (value: unknown): string | null => (typeof value === 'string' && value ? value : null);

const STATUS_CODE = /\b[45]\.\d{1,3}\.\d{1,3}\b/;

/**
 * Returns the stored detail of a bounce, without the text of the receiving server, which may contain
 * addresses.
 */
export function bounceDetail(isPermanent: boolean, status: unknown): string {
  const [code = ''] = STATUS_CODE.exec(textOf(status) ?? '') ?? [];
  return `${isPermanent ? 'permanent' : 'transient'} ${code}`.trim();
}

/** Returns the time of an event, at most now; now if it is missing. */
export function eventTime(value: unknown, now: Date): Date {
  const at = new Date(typeof value === 'number' ? value * 1_000 : (textOf(value) ?? Number.NaN));
  return Number.isNaN(at.getTime()) || at > now ? now : at;
}

/** Parses seconds since 1970 of a header; NaN for anything else. */
export const secondsOf = (text: string | null | undefined): number =>
  text && /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
