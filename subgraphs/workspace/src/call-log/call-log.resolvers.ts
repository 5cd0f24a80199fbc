import { userOf } from '@loyalty/platform/base/caller';
import { isErrorReason } from '@loyalty/platform/base/error-reasons';
import { connection } from '@loyalty/platform/database/pages';
import type {
  CallResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import { findUser } from '../accounts/accounts.service.ts';
import {
  callStatistics,
  type LoggedCall,
  listCalls,
  listErrorReasons,
  recordCalls,
} from './call-log.service.ts';
import { watchCalls } from './watch-calls.service.ts';

export const Query = {
  callLog: async (_, args, ctx) => connection(await listCalls(ctx, args)),
  callStatistics: async (_, args, ctx) => ({ series: await callStatistics(ctx, args) }),
  errorReasons: () => listErrorReasons(),
} satisfies QueryResolvers;

export const Mutation = {
  _recordCalls: (_, { calls }, ctx) => recordCalls(ctx, calls),
} satisfies MutationResolvers;

export const Call = {
  user({ actor }, _, ctx) {
    const user = userOf(actor);
    return user && findUser(ctx, user.id);
  },
  // A later version may have written a reason that this version does not know.
  reason: ({ reason }) => (isErrorReason(reason) ? reason : null),
} satisfies CallResolvers;

export const Subscription = {
  callLogged: {
    subscribe: (_, { apiKeyId }, ctx) => watchCalls(ctx, apiKeyId ?? null),
    resolve: (call: LoggedCall) => call,
  },
} satisfies SubscriptionResolvers;
