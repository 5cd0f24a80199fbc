import { captureId, couponId, couponPoolId, type Example, memberId, storeId } from '../example.ts';

const pool = {
  id: couponPoolId,
  name: 'Spring welcome',
  coupon_type: 'percent',
  discount_display: '20% off',
  status: 'active',
};

const coupon = {
  id: couponId,
  code: 'SPRING-7KPM-3XQD-9RTWB',
  pool_id: couponPoolId,
  redeemed: false,
  expires_at: '2026-09-30T22:00:00.000Z',
};

export const couponsExamples: Readonly<Record<string, Example>> = {
  ListCouponPools: { reply: { pools: [pool], total: 1 } },
  ListCoupons: {
    about: 'Coupons, newest first. With `code`, only the coupon with this code, in upper or lower case.',
    reply: { coupons: [coupon], total: 1 },
  },
  IssueCoupon: { body: { pool_id: couponPoolId, assigned_to: captureId }, reply: coupon },
  RedeemCoupon: {
    body: { store_id: storeId },
    reply: { ...coupon, redeemed: true, redeemed_at: '2026-06-01T11:20:00.000Z' },
  },
  MemberCoupons: {
    about: 'Coupons that a member can still redeem, newest first.',
    reply: { memberId, coupons: [coupon] },
  },
  RedeemPointsForCoupon: {
    body: { pool_id: couponPoolId, points_cost: 400 },
    reply: { pointsDeducted: 400, newBalance: 50, coupon: { id: couponId, code: coupon.code } },
  },
};
