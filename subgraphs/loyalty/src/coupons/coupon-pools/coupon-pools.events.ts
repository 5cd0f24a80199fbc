import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** The stock of a pool fell to its threshold; `available` in codes. Published again only after a refill. */
export const couponPoolLow = event(
  'coupon.pool_low',
  z.object({ poolId: z.uuid(), available: z.int().min(0) }),
);

/** A code was taken from a pool whose stock may be low now. */
export const couponStockDrawn = event('loyalty.coupon_stock_drawn', z.object({ poolId: z.uuid() }));
