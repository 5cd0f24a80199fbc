import type { MutationResolvers } from '#generated/schema';
import { recordToolCall } from './mirroring.service.ts';

export const Mutation = {
  recordToolCall: (_, { input }, ctx) => recordToolCall(ctx, input),
} satisfies MutationResolvers;
