import type { Mode } from '@loyalty/platform/base/caller';
import { HOUR_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import type { Claimed } from '@loyalty/platform/work/lost-workers';

/** A delivery that this worker is to send now. */
export interface ClaimedDelivery extends Claimed {
  readonly workspaceId: string;
  readonly mode: Mode;
  readonly id: string;
  readonly endpointId: string;
  /** Writes with another number are refused. */
  readonly claim: number;
  /** Attempts that have ended. */
  readonly attempts: number;
  readonly url: string;
  readonly secretSealed: Uint8Array;
  readonly previousSecretSealed: Uint8Array | null;
  readonly previousSecretExpiresAt: Date | null;
  /** The endpoint does not fail, and its latest success is noted: one more need not be. */
  readonly isWell: boolean;
  /** The webhook-id. */
  readonly eventId: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly sequence: bigint | null;
  readonly tier: string | null;
  readonly eventCreatedAt: Date;
}

/** What one request came to. */
export interface Attempt {
  readonly delivery: ClaimedDelivery;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly outcome: 'DELIVERED' | 'REFUSED' | 'UNAVAILABLE';
  readonly responseStatus: number | null;
  /** Why it failed, in a sentence; null where it was delivered. */
  readonly error: string | null;
  /** Null without a response. */
  readonly responseExcerpt: string | null;
  readonly retryAfterMs: number | null;
}

/** Attempts of a delivery before it is given up. */
export const ATTEMPTS_MAX = 12;

const FIRST_MS = 10 * SECOND_MS;

const LONGEST_MS = 12 * HOUR_MS;

/**
 * How long to wait after an attempt that failed: a random time up to 10 s · 4ⁿ, 12 hours at most ("full
 * jitter"), and not less than the endpoint asks for.
 *
 * @param failed - attempts that have failed so far, 1 or more
 * @param retryAfterMs - what the endpoint asks for by Retry-After; null if it does not
 * @param random - from 0 to 1
 */
export function backoffMs(failed: number, retryAfterMs: number | null, random: number): number {
  const jittered = random * Math.min(LONGEST_MS, FIRST_MS * 4 ** (failed - 1));
  return Math.round(Math.max(jittered, Math.min(retryAfterMs ?? 0, LONGEST_MS)));
}

/**
 * Reads a Retry-After header: seconds or an HTTP date.
 *
 * @returns milliseconds from now; null where there is none that can be read
 * @remarks Source: RFC 9110, section 10.2.3
 */
export function readRetryAfter(header: string | string[] | undefined, now: Date): number | null {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return null;
  if (/^\d+$/.test(text.trim())) return Number(text) * SECOND_MS;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
