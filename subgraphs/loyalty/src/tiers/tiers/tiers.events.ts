import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A member reached a higher tier; published once per upgrade. */
export const tierUpgraded = event(
  'loyalty.tier_upgraded',
  z.object({ memberId: z.uuid(), tierId: z.uuid(), previousTierId: z.uuid().nullable() }),
);

/** A member was downgraded to a lower tier, or to none; published once per downgrade. */
export const tierDowngraded = event(
  'loyalty.tier_downgraded',
  z.object({ memberId: z.uuid(), tierId: z.uuid().nullable(), previousTierId: z.uuid() }),
);

/** Tiers were added or changed: members may qualify for a higher tier. */
export const tiersChanged = event('loyalty.tiers_changed', z.object({}));
