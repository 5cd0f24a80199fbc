import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A recalculation of every member's tier was requested. */
export const tierRecalculationRequested = event(
  'loyalty.tier_recalculation_requested',
  z.object({ tierRecalculationId: z.uuid() }),
);
