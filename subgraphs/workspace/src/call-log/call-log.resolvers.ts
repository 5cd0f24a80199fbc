import { connection } from '@loyalty/platform/loading/pages';
import type { MutationResolvers, QueryResolvers, SubscriptionResolvers } from '#generated/schema';
import { type LoggedCall, listCalls, recordCalls } from './call-log.service.ts';
import { watchCalls } from './watch-calls.service.ts';

export const Query = {
  callLog: async (_, args, ctx) => connection(await listCalls(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  _recordCalls: (_, { calls }, ctx) => recordCalls(ctx, calls),
} satisfies MutationResolvers;

export const Subscription = {
  callLogged: {
    subscribe: (_, { apiKeyId }, ctx) => watchCalls(ctx, apiKeyId ?? null),
    resolve: (call: LoggedCall) => call,
  },
} satisfies SubscriptionResolvers;
