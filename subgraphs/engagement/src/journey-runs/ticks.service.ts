import { systemCaller } from '@loyalty/platform/base/caller';
import { addMs } from '@loyalty/platform/base/clock';
import { isTransient } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { whenAvailable } from '@loyalty/platform/database/when-available';
import { readAppError } from '@loyalty/platform/graph/graph-errors';
import { publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { claimWork, isGivenUp } from '@loyalty/platform/work/lost-workers';
import { advanceRuns, backoffMs } from './advance.service.ts';
import type { ClaimedRun } from './run.ts';
import { claimRuns, giveBackRuns, giveUpRuns, lockClaimed, shareJourneys, writeMoves } from './runs.store.ts';
import { graphsOf } from './walk.ts';

/** Runs that one claim takes, and that one transaction moves. */
const BATCH = 500;

/**
 * Takes runs of all workspaces that are due, and moves each as far as it needs no wait. What is interrupted
 * is repeated by another worker: all effects of a run have keys of their own.
 *
 * @param ctx - the product itself, of no workspace
 * @returns how many were taken
 */
export async function moveDueRuns(ctx: Context): Promise<number> {
  const { claimed, ended } = await claimWork(ctx.services, (maySuspect) => claimRuns(ctx, BATCH, maySuspect));
  try {
    const ofScopes = Map.groupBy(claimed, ({ workspaceId, mode }) => `${workspaceId} ${mode}`);
    for (const group of ofScopes.values()) {
      const own = ctx.as(systemCaller('move-journey-runs', group[0]!));
      await giveUpRuns(own, group.filter(isGivenUp));
      const others = group.filter((run) => !isGivenUp(run));
      if (others.length > 0) await moveGroup(own, others);
    }
    return claimed.length;
  } finally {
    ended();
  }
}

/** Moves runs together; where that fails because of one of them, the others go on without it. */
async function moveGroup(ctx: Context, group: readonly ClaimedRun[]): Promise<void> {
  try {
    await moveTogether(ctx, group);
  } catch (error) {
    // It logs what is unexpected.
    const isAway = isTransient(readAppError(error as Error, ctx));
    if (isAway || group.length === 1) return giveBack(ctx, group, isAway);
    const half = Math.ceil(group.length / 2);
    await moveGroup(ctx, group.slice(0, half));
    await moveGroup(ctx, group.slice(half));
  }
}

async function moveTogether(ctx: Context, group: readonly ClaimedRun[]): Promise<void> {
  // Before the transaction: a process remembers versions that it reads outside of one.
  await graphsOf(ctx, group);
  await ctx.transaction(async (tx) => {
    const journeys = await shareJourneys(
      tx,
      group.map(({ journeyId }) => journeyId),
    );
    const runs = await lockClaimed(tx, group);
    if (runs.length === 0) return;
    const moved = await advanceRuns(tx, journeys, runs);
    await writeMoves(tx, moved.runs, moved.counts);
    for (const { id } of journeys) publishProgress(tx, 'journey', id);
  });
}

/** Lets runs be taken again. Where that fails, too, they are once their lease is over. */
async function giveBack(ctx: Context, group: readonly ClaimedRun[], isAway: boolean): Promise<void> {
  const now = ctx.clock.now();
  // That the database was away is no attempt of a run.
  const runs = group.map((run) => ({ ...run, dueAt: isAway ? null : addMs(now, backoffMs(3)) }));
  await whenAvailable(() => giveBackRuns(ctx, runs), ctx.request.signal).catch((failure: Error) =>
    readAppError(failure, ctx),
  );
}
