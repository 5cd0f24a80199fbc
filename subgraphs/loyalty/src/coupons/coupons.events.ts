import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/**
 * A code was issued to a member or a capture; `memberId` is also set if the capture's address is a member's.
 */
export const couponIssued = event(
  'coupon.issued',
  z.object({
    couponId: z.uuid(),
    poolId: z.uuid(),
    memberId: z.uuid().nullable(),
    captureId: z.uuid().nullable(),
  }),
  {
    webhook: {
      stage: 'loyalty',
      resource: 'couponId',
      label: 'Coupon issued',
      description: 'A coupon was issued to a member or a capture.',
    },
    activity: 'COUPON_ISSUED',
    changes: ['COUPONS', 'MEMBER'],
    trigger: { kind: 'coupon_issued', label: 'A coupon was issued', filters: { poolIds: 'poolId' } },
    condition: {
      label: 'Coupons issued',
      kind: 'COUPON_ISSUED',
      aspect: 'COUPONS',
      places: 'pool_ids',
      total: null,
    },
  },
);

/** A code was used, which is final; `storeId` is set if it was used in a store. */
export const couponRedeemed = event(
  'coupon.redeemed',
  z.object({
    couponId: z.uuid(),
    poolId: z.uuid(),
    memberId: z.uuid().nullable(),
    storeId: z.uuid().nullable(),
  }),
  {
    webhook: {
      stage: 'loyalty',
      resource: 'couponId',
      label: 'Coupon redeemed',
      description: 'A coupon was used.',
    },
    activity: 'COUPON_REDEEMED',
    changes: ['COUPONS', 'MEMBER'],
    trigger: {
      kind: 'coupon_redeemed',
      label: 'A coupon was used',
      filters: { poolIds: 'poolId', storeIds: 'storeId' },
    },
    condition: {
      label: 'Coupons redeemed',
      kind: 'COUPON_REDEEMED',
      aspect: 'COUPONS',
      places: 'pool_ids',
      total: null,
    },
  },
);

/** A code that was issued to a member, or to a capture with a member's address, was voided. */
export const couponVoided = event(
  'loyalty.coupon_voided',
  z.object({ couponId: z.uuid(), memberId: z.uuid().nullable() }),
  { activity: null, changes: ['COUPONS'] },
);

/** A member visited a store, as shown by a redeemed coupon. */
export const visitObserved = event(
  'loyalty.visit_observed',
  z.object({
    memberId: z.uuid(),
    storeId: z.uuid(),
    source: z.enum(['REDEEM']),
    observedAt: z.iso.datetime(),
  }),
  { activity: null },
);

/**
 * The stock of a pool fell to its threshold; `available` is a number of codes. Published again only after a
 * refill.
 */
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

/** All codes of a pool that were not redeemed were voided. */
export const couponCodesVoided = event('loyalty.coupon_codes_voided', z.object({ poolId: z.uuid() }), {
  changesAll: ['COUPONS'],
  isShared: true,
});

/** A code was taken from a pool whose stock may be low now. */
export const couponStockDrawn = event('loyalty.coupon_stock_drawn', z.object({ poolId: z.uuid() }));

/** More codes were requested than one transaction generates. */
export const couponBatchRequested = event(
  'loyalty.coupon_batch_requested',
  z.object({ batchId: z.uuid(), codes: z.int().nonnegative() }),
);
