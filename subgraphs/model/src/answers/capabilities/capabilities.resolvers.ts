import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { callCapability, listCapabilities } from './capabilities.service.ts';
import { callCapabilities } from './capability-batch.service.ts';

export const Query = {
  capabilities: (_, __, ctx) => listCapabilities(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  callCapability: (_, { name, arguments: args }, ctx) => callCapability(ctx, name, args ?? {}),
  callCapabilities: (_, { requests }, ctx) => callCapabilities(ctx, requests),
} satisfies MutationResolvers;
