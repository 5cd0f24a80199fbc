import type {
  CouponBatchResolvers,
  CouponPoolResolvers,
  MutationResolvers,
  QueryResolvers,
} from '#generated/schema';
import { findCouponPool } from '../coupon-pools/coupon-pools.service.ts';
import { findBatch, generateCoupons, lastBatch, retryCouponBatch } from './coupon-batches.service.ts';
import { importCoupons } from './coupon-imports.service.ts';

export const Query = {
  couponBatch: (_, { id }, ctx) => findBatch(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  generateCoupons: (_, { poolId, count, prefix }, ctx) => generateCoupons(ctx, poolId, count, prefix ?? null),
  importCoupons: (_, { poolId, codes }, ctx) => importCoupons(ctx, poolId, codes),
  retryCouponBatch: (_, { id }, ctx) => retryCouponBatch(ctx, id),
} satisfies MutationResolvers;

export const CouponPool = {
  lastBatch: ({ id }, _, ctx) => lastBatch(ctx, id),
} satisfies CouponPoolResolvers;

export const CouponBatch = {
  __resolveReference: ({ id }, ctx) => findBatch(ctx, id),
  pool: async ({ poolId }, _, ctx) => (await findCouponPool(ctx, poolId))!,
} satisfies CouponBatchResolvers;
