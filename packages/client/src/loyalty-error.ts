import type { ErrorReason } from '../generated/reasons.ts';

export type { ErrorReason };

/** A field of a request with a wrong value. */
export interface WrongField {
  /** A JSON Pointer, such as `#/amount`. */
  readonly pointer: string;
  readonly code: ErrorReason;
  /** A sentence that describes the correction. */
  readonly detail: string;
}

/** Details of a refusal. */
export interface Refusal {
  /** HTTP status. */
  readonly status: number;
  /**
   * A stable code, documented at `/docs/errors/<reason>`. `UNKNOWN` if the answer is not from the platform.
   */
  readonly reason: ErrorReason | 'UNKNOWN';
  /** A sentence for people. */
  readonly message: string;
  /** All wrong fields, if the call requested problem details (RFC 9457). */
  readonly errors?: readonly WrongField[];
  /** Id to quote in a support request. */
  readonly requestId: string | null;
  /** Seconds to wait before the next attempt; null if a retry would not help. */
  readonly retryAfterSeconds: number | null;
}

/** The platform refused a call. */
export class LoyaltyError extends Error implements Refusal {
  override readonly name = 'LoyaltyError';
  readonly status: number;
  readonly reason: ErrorReason | 'UNKNOWN';
  readonly errors: readonly WrongField[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.reason = refusal.reason;
    this.errors = refusal.errors ?? [];
    this.requestId = refusal.requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

/** The result of calls to `client.v1` and `client.v2`. */
interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * Returns the body of a successful call.
 *
 * @example const member = await ok(client.v2.GET('/api/v2/members/{id}', { params: { path: { id } } }));
 * @throws LoyaltyError if the call was refused
 */
export async function ok<Data>(call: Promise<Answer<Data>>): Promise<NonNullable<Data>> {
  const { data, error, response } = await call;
  if (response.ok) return data as NonNullable<Data>;
  throw new LoyaltyError(refusalIn(response, error));
}

/** A body is `{ error }`, `{ error: { message } }` or problem details, depending on the request. */
interface ErrorBody {
  readonly error?: string | { readonly message?: string };
  readonly detail?: string;
  readonly errors?: readonly WrongField[];
}

function refusalIn({ status, statusText, headers }: Response, body: unknown): Refusal {
  const { error, detail, errors = [] } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody;
  const message = (typeof error === 'string' ? error : error?.message) ?? detail;
  return {
    status,
    reason: (headers.get('x-error-code') as ErrorReason | null) ?? 'UNKNOWN',
    message: message ?? `The server answered ${status} ${statusText}`.trim(),
    errors,
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: retryAfterSeconds(headers),
  };
}

/** Reads `Retry-After`, in seconds or as a date (RFC 9110). Returns null if it is missing. */
export function retryAfterSeconds(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
