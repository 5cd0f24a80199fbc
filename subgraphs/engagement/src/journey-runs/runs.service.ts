import type { Context } from '@loyalty/platform/context';
import { membersWithoutRun } from './enter-runs.store.ts';
import type { JourneyRun, NodeCount } from './run.ts';
import {
  type LockedRun,
  lockRunsOf,
  type MovingJourney,
  shareJourneys,
  takeJourneyLock,
  writeMoves,
} from './runs.store.ts';

export type { LockedRun, MovingJourney };

// What other nouns may do with runs, inside of their transactions. Journeys are locked before runs.

/** Keeps the journeys in their statuses until the transaction ends; others may do so, too. */
export const keepStatuses = (tx: Context, journeyIds: readonly string[]): Promise<MovingJourney[]> =>
  shareJourneys(tx, journeyIds);

/** Waits for everybody who moves runs of the journey, and keeps others from it until the transaction ends. */
export const lockJourney = (tx: Context, journeyId: string): Promise<void> => takeJourneyLock(tx, journeyId);

/** Locks the runs of these members in these journeys that have not ended. */
export const lockRuns = (
  tx: Context,
  journeyIds: readonly string[],
  memberIds: readonly string[],
): Promise<LockedRun[]> => lockRunsOf(tx, journeyIds, memberIds);

/** Writes where locked runs stand now, and what their nodes did. */
export const moveRuns = (
  tx: Context,
  runs: readonly JourneyRun[],
  counts: readonly NodeCount[],
): Promise<void> => writeMoves(tx, runs, counts);

/** Those of the members who never had a run of the journey. */
export const findNewcomers = (
  ctx: Context,
  journeyId: string,
  memberIds: readonly string[],
): Promise<string[]> => membersWithoutRun(ctx, journeyId, memberIds);
