import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { getProgram, updateProgram } from './programs.service.ts';

export const Query = {
  program: (_parent, _args, ctx) => getProgram(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  updateProgram: (_, { input }, ctx) => updateProgram(ctx, input),
} satisfies MutationResolvers;
