import type { Scope } from '@loyalty/platform/base/caller';
import type { Claimed } from '@loyalty/platform/work/lost-workers';
import type { StandardVersion } from '../standard-model/standard-versions.ts';
import { type StateRow, scoresOf } from '../standard-model/state-row.ts';

/** After so many attempts a member has failed. */
export const ATTEMPTS_MAX = 3;

/** A chunk that a worker has claimed. */
export interface ClaimedChunk extends Scope, Claimed {
  readonly jobId: string;
  readonly number: number;
  /** Writes are kept only while the chunk has this token. */
  readonly token: number;
  /** The members after this one, up to `toId`; of them `onlyIds`, unless that is empty. */
  readonly afterId: string;
  readonly toId: string;
  readonly onlyIds: readonly string[];
  readonly isRetry: boolean;
  /** Attempts of its members before this one. */
  readonly attempt: number;
  readonly sourceCutoff: Date;
  readonly modelVersion: StandardVersion;
  /** Credits suffice up to `toId` only: what follows becomes a chunk of its own when this is written. */
  readonly isPart?: boolean;
}

/** What became of one member. */
export interface MemberOutcome {
  readonly memberId: string;
  readonly status: 'SUCCEEDED' | 'UNAVAILABLE' | 'FAILED';
  /** Null for a member that failed: its latest state stays. */
  readonly state: StateRow | null;
}

/** What a turn of a chunk leads to. */
export interface ChunkOutcome {
  readonly outcomes: readonly MemberOutcome[];
  /** Why the failed ones of them failed. */
  readonly errorCode: string | null;
  /** Members to try again. */
  readonly againIds: readonly string[];
  readonly againAfterSeconds: number;
  /** Members that were in the call of the model. */
  readonly attempts: number;
  readonly credits: number;
}

/** Seconds before the next attempt of members that failed. */
export const backoffSeconds = (attempt: number): number => 2 ** attempt;

/** Nothing is left to do: no member of the chunk may be analysed. */
export const emptyOutcome: ChunkOutcome = {
  outcomes: [],
  errorCode: null,
  againIds: [],
  againAfterSeconds: 0,
  attempts: 0,
  credits: 0,
};

/**
 * What follows from the states of members. Those that could not be scored are tried again, up to three times
 * in all. Charged are the scores that there are.
 *
 * @param found - null where a member could not be scored
 * @param turn.attempt - attempts before this one
 * @param turn.scorePrice - credits of one score
 * @param allowed - members that may still be written about
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

/** All members have failed, for the same reason. */
export const failedOutcome = (memberIds: readonly string[], errorCode: string): ChunkOutcome => ({
  ...emptyOutcome,
  outcomes: memberIds.map((memberId) => ({ memberId, status: 'FAILED', state: null })),
  errorCode,
  attempts: memberIds.length,
});
