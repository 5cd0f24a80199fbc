import type { MutationResolvers } from '#generated/schema';
import { sendTransactional } from './transactional.service.ts';

export const Mutation = {
  sendTransactional: (_, { input }, ctx) => sendTransactional(ctx, input),
} satisfies MutationResolvers;
