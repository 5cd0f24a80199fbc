import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A member crossed the threshold of a higher tier; told once per crossing. */
export const tierUpgraded = event(
  'loyalty.tier_upgraded',
  z.object({ memberId: z.uuid(), tierId: z.uuid(), previousTierId: z.uuid().nullable() }),
);

/** A member fell to a lower tier, or to none; told once per crossing. */
export const tierDowngraded = event(
  'loyalty.tier_downgraded',
  z.object({ memberId: z.uuid(), tierId: z.uuid().nullable(), previousTierId: z.uuid() }),
);

/** Tiers were added or changed: members may qualify for another. */
export const tiersChanged = event('loyalty.tiers_changed', z.object({}));
