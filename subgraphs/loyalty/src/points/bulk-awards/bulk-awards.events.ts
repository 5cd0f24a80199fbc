import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** Many members are to be awarded the same. */
export const bulkAwardRequested = event(
  'loyalty.bulk_award_requested',
  z.object({ bulkAwardId: z.uuid(), members: z.int().nonnegative() }),
);
