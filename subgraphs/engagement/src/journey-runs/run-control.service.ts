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

/** Runs of one statement. */
const BATCH = 5_000;
/** A batch of runs that a worker moves may ask other subgraphs; nobody waits longer for it. */
const WAITING_SECONDS = { statement: 60, lock: 20 } as const;

/**
 * In the transaction that changes the status of a journey: waits for the workers that move its members. Once
 * the transaction is kept, members stay where they are unless the journey is active. Those who could go on
 * are held as they become due, and go on when it is resumed.
 */
export async function stopRuns(tx: Context, journeyId: string): Promise<void> {
  await setStatementTimeout(tx, WAITING_SECONDS);
  await lockJourney(tx, journeyId);
}

/** In the transaction that resumes a journey: its members go on where they stand. */
export async function resumeRuns(tx: Context, journeyId: string): Promise<void> {
  await stopRuns(tx, journeyId);
  await releaseHeldRuns(tx, journeyId, BATCH);
  await publish(tx, journeyResumed, { journeyId });
  tx.afterCommit(() => tx.services.live.publish(RUNS_CHANNEL, 'new'));
}

/** Lets all members go on who were held. */
export async function releaseAllRuns(ctx: Context, journeyId: string): Promise<void> {
  while ((await ctx.transaction((tx) => releaseHeldRuns(tx, journeyId, BATCH))) === BATCH);
  await ctx.services.live.publish(RUNS_CHANNEL, 'new');
}

/** In the transaction that ends a journey: its members leave; from some thousands on, by a job. */
export async function endAllRuns(tx: Context, journeyId: string): Promise<void> {
  await stopRuns(tx, journeyId);
  if ((await endRuns(tx, journeyId, BATCH)) === BATCH)
    await publish(tx, journeyEmptyingRequested, { journeyId });
}

/** Lets out the members of a journey that has ended. */
export async function emptyJourney(ctx: Context, journeyId: string): Promise<void> {
  while ((await ctx.transaction((tx) => endRuns(tx, journeyId, BATCH))) === BATCH)
    publishProgress(ctx, 'journey', journeyId);
  publishProgress(ctx, 'journey', journeyId);
}

/**
 * Moves the members of a version to another one. They keep the time at which they go on; who waits for an
 * event waits for that of the new node.
 *
 * @returns how many were moved
 */
export async function moveRunsToVersion(tx: Context, move: VersionMove): Promise<number> {
  await stopRuns(tx, move.journeyId);
  return moveToVersion(tx, move);
}

/** Deletes the runs of a member who was erased; counters stay. */
export async function forgetRuns(ctx: Context, memberId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    await setStatementTimeout(tx, WAITING_SECONDS);
    await deleteRunsOfMember(tx, memberId);
  });
}
