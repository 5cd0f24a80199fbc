import type { MutationResolvers } from '#generated/schema';
import { endSession, login, refreshSession } from './sessions.service.ts';

export const Mutation = {
  login: (_, { input }, ctx) => login(ctx, input),
  refreshSession: (_, __, ctx) => refreshSession(ctx),
  endSession: (_, { everywhere }, ctx) => endSession(ctx, everywhere ?? false),
} satisfies MutationResolvers;
