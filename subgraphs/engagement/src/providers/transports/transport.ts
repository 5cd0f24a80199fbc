import type { Context } from '@loyalty/platform/context';

/** One e-mail to one recipient, complete. */
export interface OutgoingMail {
  readonly messageId: string;
  /** Equal for every attempt at the same message. */
  readonly idempotencyKey: string;
  readonly to: string;
  /** An address that the workspace's providers may send from; without it each uses its own. */
  readonly from?: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * REJECTED: the provider refused this message. CREDENTIALS: it refused the credentials. UNAVAILABLE: it could
 * not be reached in time, or was busy.
 */
export type SendOutcome = 'ACCEPTED' | 'REJECTED' | 'CREDENTIALS' | 'UNAVAILABLE';

/** How a provider answered. The error is a sentence without addresses, content or secrets. */
export interface Sent {
  readonly outcome: SendOutcome;
  readonly responseStatus: number | null;
  readonly error: string | null;
  readonly providerMessageId: string | null;
}

export interface Sender {
  readonly address: string;
  readonly name: string | null;
}

/** How messages reach one provider. */
export interface MailTransport {
  /** Whether the provider sends a message once although it gets it twice with the same key. */
  readonly isIdempotent: boolean;
  /** Never throws for what the provider does. */
  send(ctx: Context, mail: OutgoingMail, timeoutMs: number): Promise<Sent>;
}

export const accepted = (status: number | null, providerMessageId: string | null): Sent => ({
  outcome: 'ACCEPTED',
  responseStatus: status,
  error: null,
  providerMessageId,
});

export const failed = (
  outcome: Exclude<SendOutcome, 'ACCEPTED'>,
  status: number | null,
  error: string,
): Sent => ({ outcome, responseStatus: status, error, providerMessageId: null });

/** What a status of a provider means. */
export function outcomeOf(status: number): SendOutcome {
  if (status >= 200 && status < 300) return 'ACCEPTED';
  if (status === 401 || status === 403) return 'CREDENTIALS';
  const isRefusal = status >= 400 && status < 500 && status !== 429;
  return isRefusal ? 'REJECTED' : 'UNAVAILABLE';
}

/** A name for an error that a provider gave: only what can be no address and no part of the message. */
const CODE = /^[A-Za-z][A-Za-z_]{2,60}$/;

/**
 * What became of an answer with this status.
 *
 * @param code - as the provider names the error; shown if it is a plain name
 */
export function refusedWith(host: string, status: number, code?: unknown): Sent {
  const outcome = outcomeOf(status);
  const named = typeof code === 'string' && CODE.test(code) ? ` (${code})` : '';
  return failed(
    outcome as Exclude<SendOutcome, 'ACCEPTED'>,
    status,
    `${host} answered ${status}${named}: ${reasonOf(outcome, status)}.`,
  );
}

function reasonOf(outcome: SendOutcome, status: number): string {
  if (outcome === 'CREDENTIALS') return 'it refused the credentials';
  if (outcome === 'REJECTED') return 'it refused the message';
  if (status === 429) return 'it takes no more messages now';
  return status >= 500 ? 'it cannot send now' : 'this is not how a mail provider answers';
}
