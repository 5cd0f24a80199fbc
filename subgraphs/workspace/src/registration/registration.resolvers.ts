import type { MutationResolvers } from '#generated/schema';
import { register } from './registration.service.ts';

export const Mutation = {
  register: (_, { input }, ctx) => register(ctx, input),
} satisfies MutationResolvers;
