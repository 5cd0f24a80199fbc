import { type Mode, systemCaller } from '@loyalty/platform/base/caller';
import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { upgradeMembers } from './recalculate-members.service.ts';
import { endDueOverrides } from './tier-overrides.service.ts';
import {
  failRecalculation,
  recalculateChangedTiers,
  requestDueRecalculations,
  runTierRecalculation,
} from './tier-recalculations.service.ts';

const modes: readonly Mode[] = ['LIVE', 'TEST'];

export const recalculateTiersJob = job(
  'loyalty.recalculate-tiers',
  z.object({ tierRecalculationId: z.uuid() }),
  (ctx, { tierRecalculationId }) => runTierRecalculation(ctx, tierRecalculationId),
  {
    isLong: true,
    retryLimit: 12,
    onExhausted: (ctx, { tierRecalculationId }, failure) =>
      failRecalculation(ctx, tierRecalculationId, failure),
  },
);

/** Runs every night, for all workspaces. */
export const requestTierRecalculationsJob = job(
  'loyalty.request-tier-recalculations',
  z.object({}),
  (ctx) => requestDueRecalculations(ctx),
  { expireInSeconds: 3_600 },
);

/** Runs every hour, for all workspaces. */
export const endTierOverridesJob = job(
  'loyalty.end-tier-overrides',
  z.object({}),
  async (ctx) => void (await endDueOverrides(ctx)),
  { expireInSeconds: 3_600 },
);

/** Runs every hour, for all workspaces. */
export const recalculateChangedTiersJob = job(
  'loyalty.recalculate-changed-tiers',
  z.object({}),
  (ctx) => recalculateChangedTiers(ctx),
  { expireInSeconds: 3_600 },
);

/** Runs after tiers changed. Live and test share them, so members of both are upgraded. */
export const reevaluateTiersJob = job(
  'loyalty.reevaluate-tiers',
  z.object({}),
  async (ctx) => {
    const { workspaceId } = ctx.scope;
    for (const mode of modes)
      await upgradeMembers(ctx.as(systemCaller('reevaluate-tiers', { workspaceId, mode })));
  },
  { expireInSeconds: 3_600 },
);
