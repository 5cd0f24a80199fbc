import { userOf } from '@loyalty/platform/base/caller';
import type {
  MemberResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  TierPreviewLineResolvers,
  TierProgressResolvers,
  TierRecalculationResolvers,
  TierResolvers,
} from '#generated/schema';
import { getProgram, updateProgram } from './programs.service.ts';
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
import { createTier, deleteTier, findTier, listTiers, updateTier } from './tiers.service.ts';
import { memberCountByTier, tierById } from './tiers.store.ts';

export const Query = {
  tiers: (_parent, _args, ctx) => listTiers(ctx),
  program: (_parent, _args, ctx) => getProgram(ctx),
  previewTierRecalculation: (_parent, _args, ctx) => previewTierRecalculation(ctx),
  tierRecalculation: (_, { id }, ctx) => findTierRecalculation(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  createTier: (_, { input }, ctx) => createTier(ctx, input),
  updateTier: (_, { id, input }, ctx) => updateTier(ctx, id, input),
  deleteTier: (_, { id }, ctx) => deleteTier(ctx, id),
  updateProgram: (_, { input }, ctx) => updateProgram(ctx, input),
  overrideTier: (_, override, ctx) => overrideTier(ctx, override),
  clearTierOverride: (_, { memberId }, ctx) => clearTierOverride(ctx, memberId),
  recalculateTiers: (_parent, _args, ctx) => recalculateTiers(ctx),
  retryTierRecalculation: (_, { id }, ctx) => retryTierRecalculation(ctx, id),
} satisfies MutationResolvers;

export const Member = {
  tier: ({ currentTierId }, _, ctx) => (currentTierId ? ctx.load(tierById, currentTierId) : null),
  tierProgress: (member, _, ctx) => getTierProgress(ctx, member),
  tierOverrideUntil: ({ id }, _, ctx) => findOverrideEnd(ctx, id),
} satisfies MemberResolvers;

export const Tier = {
  __resolveReference: ({ id }, ctx) => ctx.load(tierById, id),
  memberCount: async ({ id }, _, ctx) => (await ctx.load(memberCountByTier, id)) ?? 0,
} satisfies TierResolvers;

export const Subscription = {
  tierRecalculationProgress: {
    subscribe: (_, { id }, ctx) => watchTierRecalculation(ctx, id),
    resolve: (recalculation: TierRecalculationRow) => recalculation,
  },
} satisfies SubscriptionResolvers;

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
