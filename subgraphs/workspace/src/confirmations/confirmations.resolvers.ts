import type { MutationResolvers } from '#generated/schema';
import { confirmEmail, requestEmailConfirmation } from './confirmations.service.ts';

export const Mutation = {
  confirmEmail: (_, { token }, ctx) => confirmEmail(ctx, token),
  requestEmailConfirmation: (_, __, ctx) => requestEmailConfirmation(ctx),
} satisfies MutationResolvers;
