import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A code was issued to a member or a capture; `memberId` also where the capture's address is a member's. */
export const couponIssued = event(
  'coupon.issued',
  z.object({
    couponId: z.uuid(),
    poolId: z.uuid(),
    memberId: z.uuid().nullable(),
    captureId: z.uuid().nullable(),
  }),
);

/** A code was used, once and for all; `storeId` where it was used in a store. */
export const couponRedeemed = event(
  'coupon.redeemed',
  z.object({
    couponId: z.uuid(),
    poolId: z.uuid(),
    memberId: z.uuid().nullable(),
    storeId: z.uuid().nullable(),
  }),
);

/** A code that was issued to a member, or to a capture with a member's address, was made void. */
export const couponVoided = event(
  'loyalty.coupon_voided',
  z.object({ couponId: z.uuid(), memberId: z.uuid().nullable() }),
);

/** A member was seen in a store, by redeeming a coupon there. */
export const visitObserved = event(
  'loyalty.visit_observed',
  z.object({
    memberId: z.uuid(),
    storeId: z.uuid(),
    source: z.enum(['REDEEM']),
    observedAt: z.iso.datetime(),
  }),
);
