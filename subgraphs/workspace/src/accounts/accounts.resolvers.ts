import type { MutationResolvers, QueryResolvers, UserResolvers } from '#generated/schema';
import { findUser, getProfile, updateProfile } from './accounts.service.ts';
import { confirmEmail, requestEmailConfirmation } from './confirmations.service.ts';

export const Query = {
  profile: (_, __, ctx) => getProfile(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  updateProfile: (_, { input }, ctx) => updateProfile(ctx, input),
  confirmEmail: (_, { token }, ctx) => confirmEmail(ctx, token),
  requestEmailConfirmation: (_, __, ctx) => requestEmailConfirmation(ctx),
} satisfies MutationResolvers;

export const User = {
  __resolveReference: ({ id }, ctx) => findUser(ctx, id),
} satisfies UserResolvers;
