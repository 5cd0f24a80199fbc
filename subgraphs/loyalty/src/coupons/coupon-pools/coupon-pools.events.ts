import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** The stock of a pool fell to its threshold; `available` in codes. Published again only after a refill. */
export const couponPoolLow = event(
  'coupon.pool_low',
  z.object({ poolId: z.uuid(), available: z.int().min(0) }),
  {
    webhook: {
      stage: 'loyalty',
      resource: 'poolId',
      label: 'Coupon pool low',
      description: 'The stock of a coupon pool fell to its threshold.',
    },
  },
);

/** All codes of a pool that were not redeemed became void. */
export const couponCodesVoided = event('loyalty.coupon_codes_voided', z.object({ poolId: z.uuid() }), {
  changesAll: ['COUPONS'],
  isShared: true,
});

/** A code was taken from a pool whose stock may be low now. */
export const couponStockDrawn = event('loyalty.coupon_stock_drawn', z.object({ poolId: z.uuid() }));
