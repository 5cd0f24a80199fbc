import type { Context } from '@loyalty/platform/context';
import { setStatementTimeout } from '@loyalty/platform/database/statement-timeout';
import { publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { publish } from '@loyalty/platform/work/events';
import { journeyEmptyingRequested, journeyResumed } from '../journeys/journeys.events.ts';
import { RUNS_CHANNEL } from './run.ts';
import {
  deleteRunsOfMember,
  endRuns,
  moveToVersion,
  releaseHeldRuns,
  type VersionMove,
} from './run-control.store.ts';
import { lockJourney } from './runs.service.ts';

/** Batch size: runs per statement. */
const BATCH = 5_000;
/** Timeouts of a wait for a worker, whose batch of runs may query other subgraphs. */
const WAITING_SECONDS = { statement: 60, lock: 20 } as const;

/**
 * Waits for the workers that move members of a journey, in the transaction that changes its status. After the
 * commit, members move only if the journey is active. Due members are held, and continue when it is resumed.
 */
export async function stopRuns(tx: Context, journeyId: string): Promise<void> {
  await setStatementTimeout(tx, WAITING_SECONDS);
  await lockJourney(tx, journeyId);
}

/** Releases the members of a journey, in the transaction that resumes it. */
export async function resumeRuns(tx: Context, journeyId: string): Promise<void> {
  await stopRuns(tx, journeyId);
  await releaseHeldRuns(tx, journeyId, BATCH);
  await publish(tx, journeyResumed, { journeyId });
  tx.afterCommit(() => tx.services.live.publish(RUNS_CHANNEL, 'new'));
}

/** Releases all held members. */
export async function releaseAllRuns(ctx: Context, journeyId: string): Promise<void> {
  while ((await ctx.transaction((tx) => releaseHeldRuns(tx, journeyId, BATCH))) === BATCH);
  await ctx.services.live.publish(RUNS_CHANNEL, 'new');
}

/**
 * Ends the runs of a journey, in the transaction that ends it. If there are more than some thousands, a job
 * ends the rest.
 */
export async function endAllRuns(tx: Context, journeyId: string): Promise<void> {
  await stopRuns(tx, journeyId);
  if ((await endRuns(tx, journeyId, BATCH)) === BATCH)
    await publish(tx, journeyEmptyingRequested, { journeyId });
}

/** Ends the remaining runs of an ended journey. */
export async function endRemainingRuns(ctx: Context, journeyId: string): Promise<void> {
  while ((await ctx.transaction((tx) => endRuns(tx, journeyId, BATCH))) === BATCH)
    publishProgress(ctx, 'journey', journeyId);
  publishProgress(ctx, 'journey', journeyId);
}

/**
 * Moves the members of a version to another one. Their due times do not change. A member who waits for an
 * event then waits for the event of the new node.
 *
 * @returns the number of moved members
 */
export async function moveRunsToVersion(tx: Context, move: VersionMove): Promise<number> {
  await stopRuns(tx, move.journeyId);
  return moveToVersion(tx, move);
}

/** Deletes the runs of an erased member. Counts stay. */
export async function eraseRuns(ctx: Context, memberId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await setStatementTimeout(tx, WAITING_SECONDS);
    await deleteRunsOfMember(tx, memberId);
  });
}
