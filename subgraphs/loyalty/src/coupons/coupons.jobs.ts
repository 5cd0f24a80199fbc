import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { failBatch, fillBatch } from './coupon-batches.service.ts';
import { expireCouponReservations } from './coupon-reservations.service.ts';
import { publishLowStock } from './coupon-stock.service.ts';

/** Reads committed counts: concurrent calls do not see each other's codes. */
export const publishLowStockJob = job(
  'loyalty.publish-low-stock',
  z.object({ poolId: z.uuid() }),
  (ctx, { poolId }) => publishLowStock(ctx, poolId),
);

/** Generates the missing codes of a batch. */
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

/** Runs every minute, for all workspaces. Overdue codes can also be issued before it runs. */
export const expireCouponHoldsJob = job(
  'loyalty.expire-coupon-holds',
  z.object({}),
  async (ctx) => void (await expireCouponReservations(ctx)),
);
