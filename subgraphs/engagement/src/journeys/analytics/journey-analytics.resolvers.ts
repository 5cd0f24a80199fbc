import type { JourneyResolvers, QueryResolvers, SubscriptionResolvers } from '#generated/schema';
import {
  analyticsOf,
  findJourneyAnalytics,
  type JourneyAnalytics as JourneyAnalyticsRow,
  watchJourney,
} from './journey-analytics.service.ts';

export const Query = {
  journeyAnalytics: (_, { id }, ctx) => findJourneyAnalytics(ctx, id),
} satisfies QueryResolvers;

export const Subscription = {
  journeyProgress: {
    subscribe: (_, { id }, ctx) => watchJourney(ctx, id),
    resolve: (analytics: JourneyAnalyticsRow) => analytics,
  },
} satisfies SubscriptionResolvers;

export const Journey = {
  analytics: (journey, _, ctx) => analyticsOf(ctx, journey),
} satisfies Pick<JourneyResolvers, 'analytics'>;
