import type { MutationResolvers } from '#generated/schema';
import { login, refreshSession } from './sessions.service.ts';

export const Mutation = {
  login: (_, { input }, ctx) => login(ctx, input),
  refreshSession: (_, __, ctx) => refreshSession(ctx),
} satisfies MutationResolvers;
