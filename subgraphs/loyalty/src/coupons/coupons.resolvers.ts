import { connection } from '@loyalty/platform/database/pages';
import { queuesFor } from '@loyalty/platform/database/row-queues';
import type {
  CaptureResolvers,
  CouponResolvers,
  MemberResolvers,
  MutationResolvers,
  QueryResolvers,
} from '#generated/schema';
import { findCapture } from '../captures/captures.service.ts';
import { referredMember } from '../members/members.service.ts';
import { rows } from '../row-queues.ts';
import { findCouponPool } from './coupon-pools.service.ts';
import { confirmCoupon, releaseCoupon, reserveCoupon } from './coupon-reservations.service.ts';
import {
  findCoupon,
  findCouponByCode,
  issueCoupon,
  listCouponHistory,
  listCoupons,
  listMemberCoupons,
  redeemCoupon,
  voidCoupon,
} from './coupons.service.ts';
import { couponsByCapture } from './coupons.store.ts';
import { redeemPointsForCoupon } from './points-for-coupon.service.ts';

export const Query = {
  coupon: (_, { id }, ctx) => findCoupon(ctx, id),
  couponByCode: (_, { code }, ctx) => findCouponByCode(ctx, code),
  coupons: async (_, args, ctx) => connection(await listCoupons(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  issueCoupon: queuesFor(rows.ofPool, (_, { poolId, captureId }, ctx) => issueCoupon(ctx, poolId, captureId)),
  redeemCoupon: (_, { id, storeId }, ctx) => redeemCoupon(ctx, id, storeId ?? null),
  voidCoupon: (_, { id, reason }, ctx) => voidCoupon(ctx, id, reason),
  redeemPointsForCoupon: queuesFor(rows.ofPool, (_, { memberId, poolId, pointsCost }, ctx) =>
    redeemPointsForCoupon(ctx, memberId, poolId, pointsCost),
  ),
  reserveCoupon: queuesFor(rows.ofPool, (_, wanted, ctx) => reserveCoupon(ctx, wanted)),
  confirmCoupon: (_, { reservationId }, ctx) => confirmCoupon(ctx, reservationId),
  releaseCoupon: (_, { reservationId }, ctx) => releaseCoupon(ctx, reservationId),
} satisfies MutationResolvers;

export const Capture = {
  coupons: async ({ id }, _, ctx) => (await ctx.load(couponsByCapture, id)) ?? [],
} satisfies CaptureResolvers;

export const Member = {
  coupons: async ({ id }, args, ctx) => connection(await listMemberCoupons(ctx, id, args)),
  couponHistory: async ({ id }, args, ctx) => connection(await listCouponHistory(ctx, id, args)),
} satisfies MemberResolvers;

export const Coupon = {
  __resolveReference: ({ id }, ctx) => findCoupon(ctx, id),
  pool: async ({ poolId }, _, ctx) => (await findCouponPool(ctx, poolId))!,
  isRedeemed: ({ status }) => status === 'REDEEMED',
  isExpired: ({ status, expiresAt }, _, ctx) =>
    expiresAt !== null && expiresAt <= ctx.clock.now() && status !== 'REDEEMED' && status !== 'VOID',
  redeemedStore: ({ redeemedStoreId }) => (redeemedStoreId ? { id: redeemedStoreId } : null),
  member: ({ memberId }, _, ctx) => (memberId ? referredMember(ctx, memberId) : null),
  capture: ({ captureId }, _, ctx) => (captureId ? findCapture(ctx, captureId) : null),
} satisfies CouponResolvers;
