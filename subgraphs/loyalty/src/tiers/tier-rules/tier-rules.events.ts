import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** Every member's tier is to be looked at. */
export const tierRecalculationRequested = event(
  'loyalty.tier_recalculation_requested',
  z.object({ tierRecalculationId: z.uuid() }),
);
