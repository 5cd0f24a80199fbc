import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { getMessageSettings, updateMessageSettings } from './message-settings.service.ts';

export const Query = {
  messageSettings: (_parent, _args, ctx) => getMessageSettings(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  updateMessageSettings: (_, { input }, ctx) => updateMessageSettings(ctx, input),
} satisfies MutationResolvers;
