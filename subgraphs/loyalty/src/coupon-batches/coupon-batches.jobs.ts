import { job } from '@loyalty/platform/jobs';
import { z } from 'zod';
import { fillBatch } from './coupon-batches.service.ts';

/** Makes the codes of a batch that are still missing. */
export const fillCouponBatchJob = job(
  'loyalty.fill-coupon-batch',
  z.object({ batchId: z.uuid() }),
  (ctx, { batchId }) => fillBatch(ctx, batchId),
  { isLong: true, expireInSeconds: 3_600 },
);
