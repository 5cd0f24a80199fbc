import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { findPreferences, setPreferencesByToken, unsubscribeByToken } from './preferences.service.ts';

export const Query = {
  preferences: (_, { token }, ctx) => findPreferences(ctx, token),
} satisfies QueryResolvers;

export const Mutation = {
  unsubscribeByToken: (_, { token }, ctx) => unsubscribeByToken(ctx, token),
  setPreferencesByToken: (_, { token, input }, ctx) => setPreferencesByToken(ctx, token, input.consents),
} satisfies MutationResolvers;
