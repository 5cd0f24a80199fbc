import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { sendTestPush } from './push-sending.service.ts';
import { subscribe, unsubscribe, webPushOf } from './push-subscriptions.service.ts';

const done = { isDone: true };

export const Query = {
  webPush: (_, __, ctx) => webPushOf(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  subscribeWebPush: (_, subscription, ctx) => subscribe(ctx, subscription).then(() => done),
  unsubscribeWebPush: (_, { endpoint }, ctx) => unsubscribe(ctx, endpoint).then(() => done),
  sendTestPush: (_, { memberId }, ctx) => sendTestPush(ctx, memberId),
} satisfies MutationResolvers;
