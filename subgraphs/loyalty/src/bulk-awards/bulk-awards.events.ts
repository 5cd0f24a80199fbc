import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A bulk award was requested. */
export const bulkAwardRequested = event(
  'loyalty.bulk_award_requested',
  z.object({ bulkAwardId: z.uuid(), members: z.int().nonnegative() }),
);
