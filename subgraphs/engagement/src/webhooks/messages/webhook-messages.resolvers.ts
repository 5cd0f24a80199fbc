import type { SubscriptionResolvers } from '#generated/schema';
import { type WebhookMessage as WebhookMessageRow, watchMessages } from './webhook-messages.service.ts';

export const Subscription = {
  webhookMessages: {
    subscribe: (_, { eventTypes }, ctx) => watchMessages(ctx, eventTypes ?? null),
    resolve: (message: WebhookMessageRow) => message,
  },
} satisfies SubscriptionResolvers;
