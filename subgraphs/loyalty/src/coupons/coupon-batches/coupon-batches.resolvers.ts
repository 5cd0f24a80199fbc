import { userOf } from '@loyalty/platform/caller/caller';
import type {
  CouponBatchResolvers,
  CouponPoolResolvers,
  JobState,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import { findCouponPool } from '../coupon-pools/coupon-pools.service.ts';
import {
  findBatch,
  generateCoupons,
  lastBatch,
  retryCouponBatch,
  watchBatch,
} from './coupon-batches.service.ts';
import type { CouponBatch as CouponBatchRow, CouponBatchStatus } from './coupon-batches.store.ts';
import { importCoupons } from './coupon-imports.service.ts';

export const Query = {
  couponBatch: (_, { id }, ctx) => findBatch(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  generateCoupons: (_, { poolId, count, prefix }, ctx) => generateCoupons(ctx, poolId, count, prefix ?? null),
  importCoupons: (_, { poolId, codes }, ctx) => importCoupons(ctx, poolId, codes),
  retryCouponBatch: (_, { id }, ctx) => retryCouponBatch(ctx, id),
} satisfies MutationResolvers;

export const Subscription = {
  couponBatchProgress: {
    subscribe: (_, { id }, ctx) => watchBatch(ctx, id),
    resolve: (batch: CouponBatchRow) => batch,
  },
} satisfies SubscriptionResolvers;

export const CouponPool = {
  lastBatch: ({ id }, _, ctx) => lastBatch(ctx, id),
} satisfies CouponPoolResolvers;

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
