import type { MutationResolvers } from '#generated/schema';
import { approveAgentStep, cancelAgentRun, startAgentRun } from './steering.service.ts';

export const Mutation = {
  startAgentRun: (_, { input }, ctx) => startAgentRun(ctx, input),
  cancelAgentRun: (_, { id }, ctx) => cancelAgentRun(ctx, id),
  approveAgentStep: (_, decision, ctx) => approveAgentStep(ctx, decision),
} satisfies MutationResolvers;
