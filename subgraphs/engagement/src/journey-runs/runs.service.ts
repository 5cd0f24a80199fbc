import type { Context } from '@loyalty/platform/context';
import { membersWithoutRun } from './enter-runs.store.ts';
import type { JourneyRun, NodeCount } from './run.ts';
import {
  type LockedRun,
  lockJourneyExclusively,
  lockJourneysShared,
  lockRunsOf,
  type MovingJourney,
  writeMoves,
} from './runs.store.ts';

export type { LockedRun, MovingJourney };

// Functions on runs for other modules, inside their transactions. Lock journeys before runs.

/** Locks the statuses of journeys until the transaction ends. The lock is shared. */
export const lockStatuses = (tx: Context, journeyIds: readonly string[]): Promise<MovingJourney[]> =>
  lockJourneysShared(tx, journeyIds);

/** Locks a journey exclusively until the transaction ends: waits for all workers that move its runs. */
export const lockJourney = (tx: Context, journeyId: string): Promise<void> =>
  lockJourneyExclusively(tx, journeyId);

/** Locks the active runs of these members in these journeys. */
export const lockRuns = (
  tx: Context,
  journeyIds: readonly string[],
  memberIds: readonly string[],
): Promise<LockedRun[]> => lockRunsOf(tx, journeyIds, memberIds);

/** Writes the moves of locked runs and the outcomes of nodes. */
export const moveRuns = (
  tx: Context,
  runs: readonly JourneyRun[],
  counts: readonly NodeCount[],
): Promise<void> => writeMoves(tx, runs, counts);

/** Returns the given members who never had a run of the journey. */
export const findNewcomers = (
  ctx: Context,
  journeyId: string,
  memberIds: readonly string[],
): Promise<string[]> => membersWithoutRun(ctx, journeyId, memberIds);
