import { connection } from '@loyalty/platform/database/pages';
import type {
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  WebhookDeliveryResolvers,
  WebhookEndpointResolvers,
} from '#generated/schema';
import {
  attemptsOf,
  bodyOf,
  endpointOf,
  findDelivery,
  listDeliveries,
  type WebhookDelivery as WebhookDeliveryRow,
  watchDeliveries,
} from './deliveries.service.ts';
import {
  createEndpoint,
  deleteEndpoint,
  endpointStatistics,
  findEndpoint,
  listEndpoints,
  rotateSecret,
  rotationEndsAt,
  updateEndpoint,
} from './endpoints.service.ts';
import { countReplays, pingWebhook, replayDeliveries, replayDelivery } from './replays.service.ts';
import { type WebhookMessage as WebhookMessageRow, watchMessages } from './webhook-messages.service.ts';

export const Query = {
  webhookEndpoint: (_, { id }, ctx) => findEndpoint(ctx, id),
  webhookEndpoints: async (_, args, ctx) => connection(await listEndpoints(ctx, args)),
  webhookDelivery: (_, { id }, ctx) => findDelivery(ctx, id),
  webhookDeliveries: async (_, args, ctx) => connection(await listDeliveries(ctx, args)),
  replayCount: (_, { filter }, ctx) => countReplays(ctx, filter),
} satisfies QueryResolvers;

export const Mutation = {
  createWebhookEndpoint: (_, { input }, ctx) => createEndpoint(ctx, input),
  updateWebhookEndpoint: (_, { id, input }, ctx) => updateEndpoint(ctx, id, input),
  rotateWebhookSecret: (_, { id }, ctx) => rotateSecret(ctx, id),
  deleteWebhookEndpoint: (_, { id }, ctx) => deleteEndpoint(ctx, id),
  pingWebhook: (_, { id }, ctx) => pingWebhook(ctx, id),
  replayDelivery: (_, { id }, ctx) => replayDelivery(ctx, id),
  replayDeliveries: (_, { filter, expectedCount }, ctx) => replayDeliveries(ctx, filter, expectedCount),
} satisfies MutationResolvers;

export const WebhookEndpoint = {
  rotationEndsAt: (endpoint, _, ctx) => rotationEndsAt(ctx, endpoint),
  statistics: (endpoint, { hours }, ctx) => endpointStatistics(ctx, endpoint, hours ?? 24),
} satisfies WebhookEndpointResolvers;

export const Subscription = {
  webhookDeliveryChanged: {
    subscribe: (_, { endpointId }, ctx) => watchDeliveries(ctx, endpointId ?? null),
    resolve: (delivery: WebhookDeliveryRow) => delivery,
  },
  webhookMessages: {
    subscribe: (_, { eventTypes }, ctx) => watchMessages(ctx, eventTypes ?? null),
    resolve: (message: WebhookMessageRow) => message,
  },
} satisfies SubscriptionResolvers;

export const WebhookDelivery = {
  webhookId: ({ eventId }) => eventId,
  endpoint: (delivery, _, ctx) => endpointOf(ctx, delivery),
  attempts: (delivery, _, ctx) => attemptsOf(ctx, delivery),
  nextAttemptAt: ({ dueAt }) => dueAt,
  body: (delivery, _, ctx) => bodyOf(ctx, delivery),
} satisfies WebhookDeliveryResolvers;
