import { connection } from '@loyalty/platform/loading/pages';
import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { listCalls, recordCalls } from './call-log.service.ts';

export const Query = {
  callLog: async (_, args, ctx) => connection(await listCalls(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  _recordCalls: (_, { calls }, ctx) => recordCalls(ctx, calls),
} satisfies MutationResolvers;
