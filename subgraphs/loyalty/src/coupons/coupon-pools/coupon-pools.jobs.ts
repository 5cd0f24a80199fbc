import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { publishLowStock } from './coupon-stock.service.ts';

/** Reads committed counts: calls that run at the same time do not see each other's codes. */
export const publishLowStockJob = job(
  'loyalty.publish-low-stock',
  z.object({ poolId: z.uuid() }),
  (ctx, { poolId }) => publishLowStock(ctx, poolId),
);
