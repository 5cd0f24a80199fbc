import type { Scope } from '@loyalty/platform/base/caller';
import type { Claimed } from '@loyalty/platform/work/lost-workers';
import type { StandardVersion } from '../standard-model/standard-versions.ts';
import { type StateRow, scoresOf } from '../standard-model/state-row.ts';

/** Attempts after which a member has failed. */
export const ATTEMPTS_MAX = 3;

/** A chunk that a worker has claimed. */
export interface ClaimedChunk extends Scope, Claimed {
  readonly jobId: string;
  readonly number: number;
  /** Fencing token: writes are valid only while the chunk has it. */
  readonly token: number;
  /** The chunk's members: those after this id, up to `toId`; only those in `onlyIds` unless that is empty. */
  readonly afterId: string;
  readonly toId: string;
  readonly onlyIds: readonly string[];
  readonly isRetry: boolean;
  /** Earlier attempts of its members. */
  readonly attempt: number;
  readonly sourceCutoff: Date;
  readonly modelVersion: StandardVersion;
  /**
   * Credits suffice only up to `toId`: the members after it become a separate chunk when this one is written.
   */
  readonly isPart?: boolean;
}

/** The outcome of one member. */
export interface MemberOutcome {
  readonly memberId: string;
  readonly status: 'SUCCEEDED' | 'UNAVAILABLE' | 'FAILED';
  /** Null for a failed member: its latest state stays. */
  readonly state: StateRow | null;
}

/** The outcome of a turn of a chunk. */
export interface ChunkOutcome {
  readonly outcomes: readonly MemberOutcome[];
  /** Error code of the failed members. */
  readonly errorCode: string | null;
  /** Members to retry. */
  readonly againIds: readonly string[];
  readonly againAfterSeconds: number;
  /** Number of members in the call of the model. */
  readonly attempts: number;
  readonly credits: number;
}

/** Seconds before failed members are retried. */
export const backoffSeconds = (attempt: number): number => 2 ** attempt;

/** The outcome if no member of the chunk may be analysed. */
export const emptyOutcome: ChunkOutcome = {
  outcomes: [],
  errorCode: null,
  againIds: [],
  againAfterSeconds: 0,
  attempts: 0,
  credits: 0,
};

/**
 * Computes the outcome from the states of members. Those that could not be scored are retried, up to three
 * attempts in all. Existing scores are charged.
 *
 * @param found - null for a member that could not be scored
 * @param turn.attempt - earlier attempts
 * @param turn.scorePrice - credits of one score
 * @param allowed - members about whom results may be written
 */
export function outcomeOf(
  found: ReadonlyMap<string, StateRow | null>,
  { attempt, scorePrice }: { readonly attempt: number; readonly scorePrice: number },
  allowed: readonly string[],
): ChunkOutcome {
  const outcomes: MemberOutcome[] = [];
  const againIds: string[] = [];
  let credits = 0;
  for (const memberId of allowed) {
    const state = found.get(memberId);
    if (state) {
      credits += scoresOf(state) * scorePrice;
      const status = state.status === 'UNAVAILABLE' ? 'UNAVAILABLE' : 'SUCCEEDED';
      outcomes.push({ memberId, status, state });
    } else if (state === null) {
      if (attempt + 1 < ATTEMPTS_MAX) againIds.push(memberId);
      else outcomes.push({ memberId, status: 'FAILED', state });
    }
  }
  const again = { againIds, againAfterSeconds: backoffSeconds(attempt) };
  return { outcomes, errorCode: 'SCORING_FAILED', ...again, attempts: found.size, credits };
}

/** The outcome if all members failed for the same reason. */
export const failedOutcome = (memberIds: readonly string[], errorCode: string): ChunkOutcome => ({
  ...emptyOutcome,
  outcomes: memberIds.map((memberId) => ({ memberId, status: 'FAILED', state: null })),
  errorCode,
  attempts: memberIds.length,
});
