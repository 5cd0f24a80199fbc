import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** More codes were requested than are generated in one transaction. */
export const couponBatchRequested = event(
  'loyalty.coupon_batch_requested',
  z.object({ batchId: z.uuid(), codes: z.int().nonnegative() }),
);
