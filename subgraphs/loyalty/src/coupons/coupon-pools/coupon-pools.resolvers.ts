import { connection } from '@loyalty/platform/loading/pages';
import type { CouponPoolResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import {
  createCouponPool,
  findCouponPool,
  findCouponPools,
  listCouponPools,
  setCouponPoolStatus,
  setLowStockThreshold,
  updateCouponPool,
} from './coupon-pools.service.ts';
import { countCoupons, lastImport } from './coupon-stock.service.ts';

export const Query = {
  couponPool: (_, { id }, ctx) => findCouponPool(ctx, id),
  _couponPools: (_, { ids }, ctx) => findCouponPools(ctx, ids),
  couponPools: async (_, args, ctx) => connection(await listCouponPools(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  createCouponPool: (_, { input }, ctx) => createCouponPool(ctx, input),
  setCouponPoolStatus: (_, { id, status, voidCodes }, ctx) =>
    setCouponPoolStatus(ctx, id, status, voidCodes ?? false),
  updateCouponPool: (_, { id, input }, ctx) => updateCouponPool(ctx, id, input),
  setLowStockThreshold: (_, { poolId, threshold }, ctx) =>
    setLowStockThreshold(ctx, poolId, threshold ?? null),
} satisfies MutationResolvers;

export const CouponPool = {
  __resolveReference: ({ id }, ctx) => findCouponPool(ctx, id),
  availableCount: async (pool, _, ctx) => (await countCoupons(ctx, pool)).available,
  heldCount: async (pool, _, ctx) => (await countCoupons(ctx, pool)).held,
  issuedCount: async (pool, _, ctx) => (await countCoupons(ctx, pool)).issued,
  redeemedCount: async (pool, _, ctx) => (await countCoupons(ctx, pool)).redeemed,
  voidedCount: async (pool, _, ctx) => (await countCoupons(ctx, pool)).voided,
  lastImport: (pool, _, ctx) => lastImport(ctx, pool.id),
} satisfies CouponPoolResolvers;
