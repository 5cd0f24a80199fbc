import type { MutationResolvers, QueryResolvers, UserResolvers } from '#generated/schema';
import { findUser, getProfile, updateProfile } from './accounts.service.ts';

export const Query = {
  profile: (_, __, ctx) => getProfile(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  updateProfile: (_, { input }, ctx) => updateProfile(ctx, input),
} satisfies MutationResolvers;

export const User = {
  __resolveReference: ({ id }, ctx) => findUser(ctx, id),
} satisfies UserResolvers;
