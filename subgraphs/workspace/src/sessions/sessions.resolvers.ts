import type { MutationResolvers } from '#generated/schema';
import { changePassword, requestPasswordReset, resetPassword } from './passwords.service.ts';
import { endSession, login, refreshSession } from './sessions.service.ts';

export const Mutation = {
  login: (_, { input }, ctx) => login(ctx, input),
  refreshSession: (_, __, ctx) => refreshSession(ctx),
  endSession: (_, { everywhere }, ctx) => endSession(ctx, everywhere ?? false),
  changePassword: (_, { input }, ctx) => changePassword(ctx, input),
  requestPasswordReset: (_, { email }, ctx) => requestPasswordReset(ctx, email),
  resetPassword: (_, { input }, ctx) => resetPassword(ctx, input),
} satisfies MutationResolvers;
