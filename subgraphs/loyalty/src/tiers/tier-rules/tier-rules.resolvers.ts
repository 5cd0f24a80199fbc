import { userOf } from '@loyalty/platform/caller/caller';
import type {
  MemberResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  TierPreviewLineResolvers,
  TierProgressResolvers,
  TierRecalculationResolvers,
} from '#generated/schema';
import { findTier } from '../tiers/tiers.service.ts';
import { clearTierOverride, overrideTier } from './tier-overrides.service.ts';
import { findOverrideEnd, getTierProgress } from './tier-progress.service.ts';
import {
  findTierRecalculation,
  previewTierRecalculation,
  recalculateTiers,
  retryTierRecalculation,
  watchTierRecalculation,
} from './tier-recalculations.service.ts';
import type { TierRecalculation as TierRecalculationRow } from './tier-recalculations.store.ts';

export const Query = {
  previewTierRecalculation: (_parent, _args, ctx) => previewTierRecalculation(ctx),
  tierRecalculation: (_, { id }, ctx) => findTierRecalculation(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  overrideTier: (_, override, ctx) => overrideTier(ctx, override),
  clearTierOverride: (_, { memberId }, ctx) => clearTierOverride(ctx, memberId),
  recalculateTiers: (_parent, _args, ctx) => recalculateTiers(ctx),
  retryTierRecalculation: (_, { id }, ctx) => retryTierRecalculation(ctx, id),
} satisfies MutationResolvers;

export const Subscription = {
  tierRecalculationProgress: {
    subscribe: (_, { id }, ctx) => watchTierRecalculation(ctx, id),
    resolve: (recalculation: TierRecalculationRow) => recalculation,
  },
} satisfies SubscriptionResolvers;

export const Member = {
  tierProgress: (member, _, ctx) => getTierProgress(ctx, member),
  tierOverrideUntil: ({ id }, _, ctx) => findOverrideEnd(ctx, id),
} satisfies MemberResolvers;

export const TierProgress = {
  tier: ({ tierId }, _, ctx) => (tierId ? findTier(ctx, tierId) : null),
  nextTier: ({ nextTierId }, _, ctx) => (nextTierId ? findTier(ctx, nextTierId) : null),
  projectedTier: ({ projectedTierId }, _, ctx) => (projectedTierId ? findTier(ctx, projectedTierId) : null),
} satisfies TierProgressResolvers;

export const TierPreviewLine = {
  tier: ({ tierId }, _, ctx) => (tierId ? findTier(ctx, tierId) : null),
} satisfies TierPreviewLineResolvers;

export const TierRecalculation = {
  state: ({ status }) => status,
  total: ({ status, processed }) => (status === 'COMPLETED' ? processed : null),
  failed: () => 0,
  requestedBy: ({ actor }) => userOf(actor),
  __resolveReference: ({ id }, ctx) => findTierRecalculation(ctx, id),
} satisfies TierRecalculationResolvers;
