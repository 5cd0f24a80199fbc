import type { MemberResolvers, MutationResolvers, QueryResolvers, TierResolvers } from '#generated/schema';
import { createTier, deleteTier, listTiers, updateTier } from './tiers.service.ts';
import { memberCountByTier, tierById } from './tiers.store.ts';

export const Query = {
  tiers: (_parent, _args, ctx) => listTiers(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  createTier: (_, { input }, ctx) => createTier(ctx, input),
  updateTier: (_, { id, input }, ctx) => updateTier(ctx, id, input),
  deleteTier: (_, { id }, ctx) => deleteTier(ctx, id),
} satisfies MutationResolvers;

export const Member = {
  tier: ({ currentTierId }, _, ctx) => (currentTierId ? ctx.load(tierById, currentTierId) : null),
} satisfies MemberResolvers;

export const Tier = {
  __resolveReference: ({ id }, ctx) => ctx.load(tierById, id),
  memberCount: async ({ id }, _, ctx) => (await ctx.load(memberCountByTier, id)) ?? 0,
} satisfies TierResolvers;
