import { event } from '@loyalty/platform/events';
import { z } from 'zod';

/** A member crossed the threshold of a higher tier; told once per crossing. */
export const tierUpgraded = event(
  'loyalty.tier_upgraded',
  z.object({ memberId: z.uuid(), tierId: z.uuid(), previousTierId: z.uuid().nullable() }),
);

/** Tiers were added or changed: members may qualify for another. */
export const tiersChanged = event('loyalty.tiers_changed', z.object({}));
