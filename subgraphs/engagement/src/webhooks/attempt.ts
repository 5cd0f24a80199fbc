import type { Mode } from '@loyalty/platform/base/caller';
import { HOUR_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import type { Claimed } from '@loyalty/platform/work/lost-workers';

/** A delivery that this worker has claimed. */
export interface ClaimedDelivery extends Claimed {
  readonly workspaceId: string;
  readonly mode: Mode;
  readonly id: string;
  readonly endpointId: string;
  /** Number of the claim. Writes with another number have no effect. */
  readonly claim: number;
  /** Number of finished attempts. */
  readonly attempts: number;
  readonly url: string;
  readonly secretSealed: Uint8Array;
  readonly previousSecretSealed: Uint8Array | null;
  readonly previousSecretExpiresAt: Date | null;
  /**
   * The endpoint is not failing, and its last success was recorded recently, so that another success is not
   * recorded.
   */
  readonly isHealthy: boolean;
  /** The `webhook-id` header. */
  readonly eventId: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly sequence: bigint | null;
  readonly tier: string | null;
  readonly eventCreatedAt: Date;
}

/** The result of one request. */
export interface Attempt {
  readonly delivery: ClaimedDelivery;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: 'DELIVERED' | 'REFUSED' | 'UNAVAILABLE';
  readonly responseStatus: number | null;
  /** The error as a sentence; null if the event was delivered. */
  readonly error: string | null;
  /** Null without a response. */
  readonly responseExcerpt: string | null;
  readonly retryAfterMs: number | null;
}

/** Maximum number of attempts of a delivery. */
export const ATTEMPTS_MAX = 12;

const FIRST_MS = 10 * SECOND_MS;

const LONGEST_MS = 12 * HOUR_MS;

/**
 * The delay after the nth failed attempt: a random time up to 10 s · 4ⁿ⁻¹, at most 12 hours ("full jitter"),
 * and at least the time of a Retry-After header.
 *
 * @param failed - number of failed attempts, at least 1
 * @param retryAfterMs - the time of the Retry-After header; null without one
 * @param random - from 0 to 1
 */
export function backoffMs(failed: number, retryAfterMs: number | null, random: number): number {
  const jittered = random * Math.min(LONGEST_MS, FIRST_MS * 4 ** (failed - 1));
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, LONGEST_MS)));
}

/**
 * Reads a Retry-After header: seconds or an HTTP date.
 *
 * @returns milliseconds from now; null if the header is absent or invalid
 * @remarks Source: RFC 9110, section 10.2.3
 */
export function readRetryAfter(header: string | string[] | undefined, now: Date): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return null;
  if (/^\d+$/.test(text.trim())) return Number(text) * SECOND_MS;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
