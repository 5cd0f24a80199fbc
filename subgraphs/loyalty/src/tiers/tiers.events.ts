import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A member reached a higher tier; published once per upgrade. */
export const tierUpgraded = event(
  'loyalty.tier_upgraded',
  z.object({ memberId: z.uuid(), tierId: z.uuid(), previousTierId: z.uuid().nullable() }),
  {
    webhook: {
      stage: 'loyalty',
      resource: 'tierId',
      label: 'Tier upgraded',
      description: 'A member reached a higher tier.',
    },
    activity: 'TIER_UPGRADED',
    changes: ['TIER'],
    trigger: { kind: 'tier_upgraded', label: 'A higher tier was reached', filters: { tierIds: 'tierId' } },
  },
);

/** A member was downgraded to a lower tier, or to none; published once per downgrade. */
export const tierDowngraded = event(
  'loyalty.tier_downgraded',
  z.object({ memberId: z.uuid(), tierId: z.uuid().nullable(), previousTierId: z.uuid() }),
  {
    webhook: {
      stage: 'loyalty',
      resource: 'memberId',
      label: 'Tier downgraded',
      description: 'A member was downgraded to a lower tier, or to none.',
    },
    activity: 'TIER_DOWNGRADED',
    changes: ['TIER'],
    trigger: { kind: 'tier_downgraded', label: 'The tier was lost', filters: { tierIds: 'tierId' } },
  },
);

/** Tiers were added or changed: members may qualify for a higher tier. */
export const tiersChanged = event('loyalty.tiers_changed', z.object({}), {
  changesAll: ['TIER'],
  isShared: true,
});

/** A recalculation of every member's tier was requested. */
export const tierRecalculationRequested = event(
  'loyalty.tier_recalculation_requested',
  z.object({ tierRecalculationId: z.uuid() }),
);
