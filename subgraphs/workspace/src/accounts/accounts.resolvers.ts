import type { MutationResolvers, QueryResolvers, UserResolvers } from '#generated/schema';
import { listMembershipsOf } from '../memberships/memberships.service.ts';
import { findUser, getProfile, isAdmin, register, updateProfile } from './accounts.service.ts';

export const Query = {
  profile: (_, __, ctx) => getProfile(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  register: (_, { input }, ctx) => register(ctx, input),
  updateProfile: (_, { input }, ctx) => updateProfile(ctx, input),
} satisfies MutationResolvers;

export const User = {
  __resolveReference: ({ id }, ctx) => findUser(ctx, id),
  memberships: ({ id, isOwn }, _, ctx) =>
    isOwn || isAdmin(ctx.caller) ? listMembershipsOf(ctx, id, isOwn) : null,
} satisfies UserResolvers;
