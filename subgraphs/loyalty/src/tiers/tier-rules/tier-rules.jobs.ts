import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { endDueOverrides } from './tier-overrides.service.ts';
import {
  requestDueRecalculations,
  runTierRecalculation,
  settleChangedTiers,
} from './tier-recalculations.service.ts';
import { failRecalculation } from './tier-recalculations.store.ts';

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

/** Due every night; looks at all workspaces. */
export const requestTierRecalculationsJob = job(
  'loyalty.request-tier-recalculations',
  z.object({}),
  (ctx) => requestDueRecalculations(ctx),
  { expireInSeconds: 3_600 },
);

/** Due every hour; looks at all workspaces. */
export const endTierOverridesJob = job(
  'loyalty.end-tier-overrides',
  z.object({}),
  async (ctx) => void (await endDueOverrides(ctx)),
  { expireInSeconds: 3_600 },
);

/** Due every hour; looks at all workspaces. */
export const recalculateChangedTiersJob = job(
  'loyalty.recalculate-changed-tiers',
  z.object({}),
  (ctx) => settleChangedTiers(ctx),
  { expireInSeconds: 3_600 },
);
