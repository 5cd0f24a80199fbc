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
import { claimRuns, endClaims, failRuns, lockClaimed, lockJourneysShared, writeMoves } from './runs.store.ts';
import { graphsOf } from './walk.ts';

/** Batch size: runs per claim and transaction. */
const BATCH = 500;

/**
 * Claims due runs of all workspaces, and moves each up to the next wait. Interrupted work is repeated by
 * another worker, which is safe because all effects of a run have idempotency keys.
 *
 * @param ctx - a context of the product, without a workspace
 * @returns the number of claimed runs
 */
export async function moveDueRuns(ctx: Context): Promise<number> {
  const { claimed, ended } = await claimWork(ctx.services, (maySuspect) => claimRuns(ctx, BATCH, maySuspect));
  try {
    const ofScopes = Map.groupBy(claimed, ({ workspaceId, mode }) => `${workspaceId} ${mode}`);
    for (const group of ofScopes.values()) {
      const own = ctx.as(systemCaller('move-journey-runs', group[0]!));
      await failRuns(own, group.filter(isGivenUp));
      const others = group.filter((run) => !isGivenUp(run));
      if (others.length > 0) await moveGroup(own, others);
    }
    return claimed.length;
  } finally {
    ended();
  }
}

/**
 * Moves runs together. If this fails because of one run, the group is split, and the other runs are moved
 * without it.
 */
async function moveGroup(ctx: Context, group: readonly ClaimedRun[]): Promise<void> {
  try {
    await moveTogether(ctx, group);
  } catch (error) {
    // Logs an unexpected error.
    const isUnavailable = isTransient(readAppError(error as Error, ctx));
    if (isUnavailable || group.length === 1) return releaseClaims(ctx, group, isUnavailable);
    const half = Math.ceil(group.length / 2);
    await moveGroup(ctx, group.slice(0, half));
    await moveGroup(ctx, group.slice(half));
  }
}

async function moveTogether(ctx: Context, group: readonly ClaimedRun[]): Promise<void> {
  // Before the transaction, because only versions that are read outside a transaction are cached.
  await graphsOf(ctx, group);
  await ctx.transaction(async (tx) => {
    const journeys = await lockJourneysShared(
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

/** Ends the claims of runs. If that fails, too, the runs can be claimed when their lease ends. */
async function releaseClaims(
  ctx: Context,
  group: readonly ClaimedRun[],
  isUnavailable: boolean,
): Promise<void> {
  const now = ctx.clock.now();
  // An unavailable database does not count as an attempt of a run.
  const runs = group.map((run) => ({ ...run, dueAt: isUnavailable ? null : addMs(now, backoffMs(3)) }));
  await whenAvailable(() => endClaims(ctx, runs), ctx.request.signal).catch((failure: Error) =>
    readAppError(failure, ctx),
  );
}
