import type { SubscriptionResolvers, TrackingEventResolvers } from '#generated/schema';
import { watchTracking } from './tracking-feed.service.ts';
import type { ShownEvent } from './tracking-feed.store.ts';

export const Subscription = {
  trackingEvent: {
    subscribe: (_, { event, sampleRate }, ctx) =>
      watchTracking(ctx, { event: event ?? null, sampleRate: sampleRate ?? 1 }),
    resolve: (shown: ShownEvent) => shown,
  },
} satisfies SubscriptionResolvers;

export const TrackingEvent = {
  member: ({ memberId }) => (memberId ? { id: memberId } : null),
} satisfies TrackingEventResolvers;
