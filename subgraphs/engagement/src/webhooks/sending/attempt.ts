import type { Mode } from '@loyalty/platform/caller/caller';
import type { Claimed } from '@loyalty/platform/outbox/lost-workers';

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
