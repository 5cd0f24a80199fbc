import { userOf } from '@loyalty/platform/base/caller';
import { connection } from '@loyalty/platform/database/pages';
import type {
  JourneyResolvers,
  JourneyVersionResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import { journeySchema } from './definition-schema.ts';
import { createJourney, deleteJourney, duplicateJourney, updateJourney } from './edit-journey.service.ts';
import {
  analyticsOf,
  findJourneyAnalytics,
  type JourneyAnalytics as JourneyAnalyticsRow,
  watchJourney,
} from './journey-analytics.service.ts';
import {
  findJourney,
  isDraftChanged,
  listJourneys,
  listJourneyVersions,
  versionOf,
} from './journeys.service.ts';

export const Query = {
  journeys: async (_, args, ctx) => connection(await listJourneys(ctx, args)),
  journey: (_, { id }, ctx) => findJourney(ctx, id),
  journeySchema: () => ({ ...journeySchema }),
  journeyAnalytics: (_, { id }, ctx) => findJourneyAnalytics(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  createJourney: (_, { input }, ctx) => createJourney(ctx, input),
  updateJourney: (_, { id, input }, ctx) => updateJourney(ctx, id, input),
  duplicateJourney: (_, { id, name }, ctx) => duplicateJourney(ctx, id, name),
  deleteJourney: (_, { id }, ctx) => deleteJourney(ctx, id),
} satisfies MutationResolvers;

export const Journey = {
  __resolveReference: ({ id }, ctx) => findJourney(ctx, id),
  isDraftChanged: (journey, _, ctx) => isDraftChanged(ctx, journey),
  version: ({ id, version }, _, ctx) => (version === null ? null : versionOf(ctx, id, version)),
  versions: async (journey, args, ctx) => connection(await listJourneyVersions(ctx, journey, args)),
  createdBy: ({ actor }) => userOf(actor),
  analytics: (journey, _, ctx) => analyticsOf(ctx, journey),
} satisfies JourneyResolvers;

export const JourneyVersion = {
  createdBy: ({ actor }) => userOf(actor),
} satisfies JourneyVersionResolvers;

export const Subscription = {
  journeyProgress: {
    subscribe: (_, { id }, ctx) => watchJourney(ctx, id),
    resolve: (analytics: JourneyAnalyticsRow) => analytics,
  },
} satisfies SubscriptionResolvers;
