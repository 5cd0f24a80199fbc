import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { failBatch, fillBatch } from './coupon-batches.service.ts';

/** Generates the codes of a batch that are still missing. */
export const fillCouponBatchJob = job(
  'loyalty.fill-coupon-batch',
  z.object({ batchId: z.uuid(), codes: z.int().nonnegative().optional() }),
  (ctx, { batchId }) => fillBatch(ctx, batchId),
  {
    isLong: true,
    expireInSeconds: 3_600,
    size: ({ codes }) => codes ?? null,
    onExhausted: (ctx, { batchId }, failure) => failBatch(ctx, batchId, failure),
  },
);
