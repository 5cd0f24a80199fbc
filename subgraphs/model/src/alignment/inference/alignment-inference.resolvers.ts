import type { MutationResolvers } from '#generated/schema';
import { inferAlignment } from './alignment-inference.service.ts';

export const Mutation = {
  inferAlignment: (_, args, ctx) => inferAlignment(ctx, args),
} satisfies MutationResolvers;
