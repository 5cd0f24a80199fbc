import type { MutationResolvers } from '#generated/schema';
import { changePassword, requestPasswordReset, resetPassword } from './passwords.service.ts';

export const Mutation = {
  changePassword: (_, { input }, ctx) => changePassword(ctx, input),
  requestPasswordReset: (_, { email }, ctx) => requestPasswordReset(ctx, email),
  resetPassword: (_, { input }, ctx) => resetPassword(ctx, input),
} satisfies MutationResolvers;
