import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { listNearbyStores, recordGeofenceEvent } from './location.service.ts';

export const Query = {
  nearbyStores: (_, { limit, ...place }, ctx) => listNearbyStores(ctx, place, limit),
} satisfies QueryResolvers;

export const Mutation = {
  recordGeofenceEvent: (_, { storeId, eventType }, ctx) => recordGeofenceEvent(ctx, storeId, eventType),
} satisfies MutationResolvers;
