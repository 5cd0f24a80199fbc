import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { inferAlignment } from './alignment-inference.service.ts';
import { callCapability, listCapabilities } from './capabilities.service.ts';
import { callCapabilities } from './capability-batch.service.ts';
import { estimateCredits } from './estimates.service.ts';

export const Query = {
  capabilities: (_, __, ctx) => listCapabilities(ctx),
  creditEstimate: (_, { input }, ctx) => estimateCredits(ctx, input),
} satisfies QueryResolvers;

export const Mutation = {
  callCapability: (_, { name, arguments: args }, ctx) => callCapability(ctx, name, args ?? {}),
  callCapabilities: (_, { requests }, ctx) => callCapabilities(ctx, requests),
  inferAlignment: (_, args, ctx) => inferAlignment(ctx, args),
} satisfies MutationResolvers;
