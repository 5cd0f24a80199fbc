import type {
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  TrackingEventResolvers,
} from '#generated/schema';
import { trackEvents, trackedFacts } from './tracked-events.service.ts';
import type { ShownEvent } from './tracked-events.store.ts';
import { watchTracking } from './tracking-feed.service.ts';
import { trackingStatistics } from './tracking-statistics.service.ts';

export const Mutation = {
  trackEvents: (_, { events }, ctx) => trackEvents(ctx, events),
} satisfies MutationResolvers;

export const Query = {
  _trackedFacts: (_, { eventIds }, ctx) => trackedFacts(ctx, eventIds),
  trackingStatistics: (_, args, ctx) => trackingStatistics(ctx, args),
} satisfies QueryResolvers;

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
