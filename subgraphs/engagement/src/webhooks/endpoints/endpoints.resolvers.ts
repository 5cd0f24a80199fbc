import { connection } from '@loyalty/platform/loading/pages';
import type { MutationResolvers, QueryResolvers, WebhookEndpointResolvers } from '#generated/schema';
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

export const Query = {
  webhookEndpoint: (_, { id }, ctx) => findEndpoint(ctx, id),
  webhookEndpoints: async (_, args, ctx) => connection(await listEndpoints(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  createWebhookEndpoint: (_, { input }, ctx) => createEndpoint(ctx, input),
  updateWebhookEndpoint: (_, { id, input }, ctx) => updateEndpoint(ctx, id, input),
  rotateWebhookSecret: (_, { id }, ctx) => rotateSecret(ctx, id),
  deleteWebhookEndpoint: (_, { id }, ctx) => deleteEndpoint(ctx, id),
} satisfies MutationResolvers;

export const WebhookEndpoint = {
  rotationEndsAt: (endpoint, _, ctx) => rotationEndsAt(ctx, endpoint),
  statistics: (endpoint, { hours }, ctx) => endpointStatistics(ctx, endpoint, hours ?? 24),
} satisfies WebhookEndpointResolvers;
