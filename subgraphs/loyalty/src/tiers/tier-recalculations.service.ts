import { type Mode, systemCaller } from '@loyalty/platform/base/caller';
import { addMs, HOUR_MS } from '@loyalty/platform/base/clock';
import { conflict, notFound } from '@loyalty/platform/base/errors';
import { NO_ID, newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { refreshStatistics } from '@loyalty/platform/database/analyze-tables';
import { audit } from '@loyalty/platform/identity/audit';
import { publishEnd, publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import type { Snapshots } from '@loyalty/platform/subscriptions/snapshots';
import { watchJob } from '@loyalty/platform/subscriptions/watch-job';
import { publish } from '@loyalty/platform/work/events';
import { endOfChunk } from '../members/members.service.ts';
import { listWorkspacesWithPeriod } from './programs.service.ts';
import { getTierRule, recalculateRange, upgradeMembers } from './recalculate-members.service.ts';
import { type TierFlow, tierFlows } from './recalculate-members.store.ts';
import {
  advanceRecalculation,
  countMembers,
  failOpen,
  insertRecalculation,
  lockRecalculation,
  openRecalculation,
  recalculationById,
  reopenRecalculation,
  type TierRecalculation,
} from './tier-recalculations.store.ts';
import { tierRecalculationRequested } from './tiers.events.ts';
import { listTiers, listWorkspacesChangedSince } from './tiers.service.ts';

const CHUNK = 5_000;
const MODES: readonly Mode[] = ['LIVE', 'TEST'];

/** Number of members of a tier before and after; `tierId` is null for members without one. */
export interface TierPreviewLine {
  readonly tierId: string | null;
  readonly membersBefore: number;
  readonly membersAfter: number;
}

/** The effect of a recalculation now. */
export interface TierPreview {
  readonly upgrades: number;
  readonly downgrades: number;
  readonly unchanged: number;
  /** Members without a tier first, then lowest rank first. */
  readonly byTier: readonly TierPreviewLine[];
}

/**
 * Returns the effect of a recalculation now; moves nobody.
 *
 * @param chunkSize - members read in one statement
 */
export async function previewTierRecalculation(ctx: Context, chunkSize = 20_000): Promise<TierPreview> {
  const rule = await getTierRule(ctx);
  const flows: TierFlow[] = [];
  let afterId = NO_ID;
  for (;;) {
    const toId = await endOfChunk(ctx, afterId, chunkSize);
    if (!toId) break;
    flows.push(...(await tierFlows(ctx, { afterId, toId }, rule)));
    afterId = toId;
  }
  const sum = (those: (flow: TierFlow) => boolean) =>
    flows.filter(those).reduce((members, flow) => members + flow.members, 0);
  const isMove = ({ fromId, toId }: TierFlow) => fromId !== toId;
  const tierIds = [null, ...(await listTiers(ctx)).map(({ id }) => id)];
  return {
    upgrades: sum((flow) => isMove(flow) && flow.isUpgrade),
    downgrades: sum((flow) => isMove(flow) && !flow.isUpgrade),
    unchanged: sum((flow) => !isMove(flow)),
    byTier: tierIds.map((tierId) => ({
      tierId,
      membersBefore: sum(({ fromId }) => fromId === tierId),
      membersAfter: sum(({ toId }) => toId === tierId),
    })),
  };
}

/** Requests a recalculation of every member's tier by a job; returns the open one if there is one. */
export async function recalculateTiers(ctx: Context): Promise<TierRecalculation> {
  return ctx.transaction(async (tx) => {
    const made = await requestRecalculation(tx);
    const { id: resourceId } = made;
    await audit(tx, { action: 'recalculateTiers', resourceType: 'TierRecalculation', resourceId });
    return made;
  });
}

async function requestRecalculation(tx: Context): Promise<TierRecalculation> {
  const made = await insertRecalculation(tx, newId(tx.clock));
  // If the open one ended between the two statements, the next call inserts a new one.
  if (!made) return (await openRecalculation(tx)) ?? requestRecalculation(tx);
  await publish(tx, tierRecalculationRequested, { tierRecalculationId: made.id });
  return made;
}

/**
 * Starts a failed recalculation again; it continues after the last processed member.
 *
 * @throws AppError TIER_RECALCULATION_NOT_FOUND (404), TIER_RECALCULATION_NOT_FAILED, TIER_RECALCULATION_OPEN
 *   (409)
 */
export async function retryTierRecalculation(ctx: Context, id: string): Promise<TierRecalculation> {
  return ctx.transaction(async (tx) => {
    const retried = await reopenRecalculation(tx, id);
    if (retried === 'OTHER_OPEN')
      throw conflict('TIER_RECALCULATION_OPEN', 'Another recalculation is running. Wait for its end.');
    if (!retried && !(await findTierRecalculation(tx, id))) throw notFound('tier recalculation', id);
    if (!retried)
      throw conflict('TIER_RECALCULATION_NOT_FAILED', 'Only a recalculation that failed can be retried.');
    await publish(tx, tierRecalculationRequested, { tierRecalculationId: id });
    const resource = { resourceType: 'TierRecalculation', resourceId: id };
    await audit(tx, { action: 'retryTierRecalculation', ...resource });
    return retried;
  });
}

export const findTierRecalculation = (ctx: Context, id: string): Promise<TierRecalculation | null> =>
  ctx.load(recalculationById, id);

/** Yields a recalculation now and after its changes. @throws AppError TIER_RECALCULATION_NOT_FOUND (404) */
export const watchTierRecalculation = (ctx: Context, id: string): Promise<Snapshots<TierRecalculation>> =>
  watchJob(ctx, id, { noun: 'tierRecalculation', find: findTierRecalculation });

/** Marks a recalculation as failed; has no effect on a finished one. */
export async function failRecalculation(ctx: Context, id: string, failure: string): Promise<void> {
  if (await failOpen(ctx, id, failure)) publishEnd(ctx, 'tierRecalculation', id);
}

/**
 * Runs a recalculation from its checkpoint to its end. Each step is one transaction with its checkpoint, so a
 * second run continues, and concurrent runs take turns.
 *
 * @param chunkSize - members read in one transaction
 */
export async function runTierRecalculation(ctx: Context, id: string, chunkSize = CHUNK): Promise<void> {
  const rule = await getTierRule(ctx);
  await refreshStatistics(ctx, ['loyalty.members', 'loyalty.points_entries']);
  let isOver = false;
  while (!isOver) {
    ctx.request.signal.throwIfAborted();
    isOver = await ctx.transaction(async (tx) => {
      const open = await lockRecalculation(tx, id);
      if (!open) return true;
      const { afterId } = open;
      const toId = await endOfChunk(tx, afterId, chunkSize);
      const changes = toId
        ? await recalculateRange(tx, { afterId, toId }, rule)
        : { upgrades: 0, downgrades: 0 };
      const processed = toId ? await countMembers(tx, afterId, toId) : 0;
      await advanceRecalculation(tx, id, { toId, processed, ...changes });
      (toId ? publishProgress : publishEnd)(tx, 'tierRecalculation', id);
      return toId === null;
    });
  }
}

/** Runs every night: requests a recalculation for every workspace with a period. */
export async function requestDueRecalculations(ctx: Context): Promise<void> {
  for (const workspaceId of await listWorkspacesWithPeriod(ctx)) {
    for (const mode of MODES) {
      const own = ctx.as(systemCaller('recalculate-tiers', { workspaceId, mode }));
      await own.transaction(requestRecalculation);
    }
  }
}

/**
 * Runs every hour: upgrades members again in workspaces whose tiers changed in the last two hours. The job
 * after the change may have missed members who received points at the same moment.
 */
export async function recalculateChangedTiers(ctx: Context): Promise<void> {
  for (const workspaceId of await listWorkspacesChangedSince(ctx, addMs(ctx.clock.now(), -2 * HOUR_MS))) {
    for (const mode of MODES)
      await upgradeMembers(ctx.as(systemCaller('recalculate-changed-tiers', { workspaceId, mode })));
  }
}
