import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { rebuildProfiles } from './keep-profiles.service.ts';
import { profileFreshness } from './profiles.service.ts';

export const Query = {
  profileFreshness: (_parent, _args, ctx) => profileFreshness(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  rebuildProfiles: (_parent, _args, ctx) => rebuildProfiles(ctx),
} satisfies MutationResolvers;
