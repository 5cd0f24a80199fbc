import type { ActivityEntryResolvers, SubscriptionResolvers } from '#generated/schema';
import { findCoupon } from '../../coupons/coupons/coupons.service.ts';
import { referredMember } from '../../members/members/members.service.ts';
import { findPointsTransaction } from '../../points/points/points.service.ts';
import { findTier } from '../../tiers/tiers/tiers.service.ts';
import { type ActivityEntry as ActivityEntryRow, watchMember } from './activity.service.ts';

export const Subscription = {
  memberActivity: {
    subscribe: (_, { memberId }, ctx) => watchMember(ctx, memberId),
    resolve: (entry: ActivityEntryRow) => entry,
  },
} satisfies SubscriptionResolvers;

export const ActivityEntry = {
  member: async ({ memberId }, _, ctx) => (await referredMember(ctx, memberId))!,
  pointsTransaction: ({ transactionId }, _, ctx) =>
    transactionId ? findPointsTransaction(ctx, transactionId) : null,
  tier: ({ tierId }, _, ctx) => (tierId ? findTier(ctx, tierId) : null),
  coupon: ({ couponId }, _, ctx) => (couponId ? findCoupon(ctx, couponId) : null),
  previousTier: ({ previousTierId }, _, ctx) => (previousTierId ? findTier(ctx, previousTierId) : null),
} satisfies ActivityEntryResolvers;
