import type { PointsLiabilityResolvers, QueryResolvers, TierLiabilityResolvers } from '#generated/schema';
import { findTier } from '../../tiers/tiers/tiers.service.ts';
import {
  byExpiryMonth,
  byTier,
  issuedPointsRate,
  latestLiability,
  liabilityDays,
  neverExpiring,
} from './liability.service.ts';

export const Query = {
  pointsLiability: (_parent, _args, ctx) => latestLiability(ctx),
} satisfies QueryResolvers;

export const PointsLiability = {
  neverExpiring: (liability) => neverExpiring(liability),
  byExpiryMonth: (liability) => byExpiryMonth(liability),
  byTier: (liability) => byTier(liability),
  redemptionRate: (liability, _args, ctx) => issuedPointsRate(ctx, liability, 'spent'),
  expiryRate: (liability, _args, ctx) => issuedPointsRate(ctx, liability, 'expired'),
  days: (_parent, args, ctx) => liabilityDays(ctx, args),
} satisfies PointsLiabilityResolvers;

export const TierLiability = {
  tier: ({ tierId }, _args, ctx) => (tierId ? findTier(ctx, tierId) : null),
} satisfies TierLiabilityResolvers;
