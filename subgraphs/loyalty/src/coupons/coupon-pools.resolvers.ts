import { userOf } from '@loyalty/platform/base/caller';
import { connection } from '@loyalty/platform/database/pages';
import type {
  CouponBatchResolvers,
  CouponPoolResolvers,
  JobState,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import {
  findBatch,
  generateCoupons,
  importCoupons,
  lastBatch,
  retryCouponBatch,
  watchBatch,
} from './coupon-batches.service.ts';
import type { CouponBatch as CouponBatchRow, CouponBatchStatus } from './coupon-batches.store.ts';
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
  couponBatch: (_, { id }, ctx) => findBatch(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  createCouponPool: (_, { input }, ctx) => createCouponPool(ctx, input),
  setCouponPoolStatus: (_, { id, status, voidCodes }, ctx) =>
    setCouponPoolStatus(ctx, id, status, voidCodes ?? false),
  updateCouponPool: (_, { id, input }, ctx) => updateCouponPool(ctx, id, input),
  setLowStockThreshold: (_, { poolId, threshold }, ctx) =>
    setLowStockThreshold(ctx, poolId, threshold ?? null),
  generateCoupons: (_, { poolId, count, prefix }, ctx) => generateCoupons(ctx, poolId, count, prefix ?? null),
  importCoupons: (_, { poolId, codes }, ctx) => importCoupons(ctx, poolId, codes),
  retryCouponBatch: (_, { id }, ctx) => retryCouponBatch(ctx, id),
} satisfies MutationResolvers;

export const CouponPool = {
  __resolveReference: ({ id }, ctx) => findCouponPool(ctx, id),
  availableCount: async (pool, _, ctx) => (await countCoupons(ctx, pool)).available,
  heldCount: async (pool, _, ctx) => (await countCoupons(ctx, pool)).held,
  issuedCount: async (pool, _, ctx) => (await countCoupons(ctx, pool)).issued,
  redeemedCount: async (pool, _, ctx) => (await countCoupons(ctx, pool)).redeemed,
  voidedCount: async (pool, _, ctx) => (await countCoupons(ctx, pool)).voided,
  lastImport: (pool, _, ctx) => lastImport(ctx, pool.id),
  lastBatch: ({ id }, _, ctx) => lastBatch(ctx, id),
} satisfies CouponPoolResolvers;

export const Subscription = {
  couponBatchProgress: {
    subscribe: (_, { id }, ctx) => watchBatch(ctx, id),
    resolve: (batch: CouponBatchRow) => batch,
  },
} satisfies SubscriptionResolvers;

export const CouponBatch = {
  __resolveReference: ({ id }, ctx) => findBatch(ctx, id),
  state: ({ status }) => states[status],
  processed: ({ created }) => created,
  total: ({ requested }) => requested,
  failed: () => 0,
  requestedBy: ({ actor }) => userOf(actor),
  pool: async ({ poolId }, _, ctx) => (await findCouponPool(ctx, poolId))!,
} satisfies CouponBatchResolvers;

const states: Readonly<Record<CouponBatchStatus, JobState>> = {
  REQUESTED: 'QUEUED',
  RUNNING: 'RUNNING',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  STOPPED: 'CANCELLED',
};
