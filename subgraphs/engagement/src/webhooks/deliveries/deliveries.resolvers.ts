import { connection } from '@loyalty/platform/loading/pages';
import type {
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  WebhookDeliveryResolvers,
} from '#generated/schema';
import {
  attemptsOf,
  bodyOf,
  endpointOf,
  findDelivery,
  listDeliveries,
  type WebhookDelivery as WebhookDeliveryRow,
} from './deliveries.service.ts';
import { countReplays, pingWebhook, replayDeliveries, replayDelivery } from './replays.service.ts';
import { watchDeliveries } from './watch-deliveries.service.ts';

export const Query = {
  webhookDelivery: (_, { id }, ctx) => findDelivery(ctx, id),
  webhookDeliveries: async (_, args, ctx) => connection(await listDeliveries(ctx, args)),
  replayCount: (_, { filter }, ctx) => countReplays(ctx, filter),
} satisfies QueryResolvers;

export const Mutation = {
  pingWebhook: (_, { id }, ctx) => pingWebhook(ctx, id),
  replayDelivery: (_, { id }, ctx) => replayDelivery(ctx, id),
  replayDeliveries: (_, { filter, expectedCount }, ctx) => replayDeliveries(ctx, filter, expectedCount),
} satisfies MutationResolvers;

export const Subscription = {
  webhookDeliveryChanged: {
    subscribe: (_, { endpointId }, ctx) => watchDeliveries(ctx, endpointId ?? null),
    resolve: (delivery: WebhookDeliveryRow) => delivery,
  },
} satisfies SubscriptionResolvers;

export const WebhookDelivery = {
  webhookId: ({ eventId }) => eventId,
  endpoint: (delivery, _, ctx) => endpointOf(ctx, delivery),
  attempts: (delivery, _, ctx) => attemptsOf(ctx, delivery),
  nextAttemptAt: ({ dueAt }) => dueAt,
  body: (delivery, _, ctx) => bodyOf(ctx, delivery),
} satisfies WebhookDeliveryResolvers;
