import type { QueryResolvers } from '#generated/schema';
import { listStoresNear } from './nearby-stores.service.ts';

export const Query = {
  _storesNear: (_, { radiusKm, limit, ...place }, ctx) => listStoresNear(ctx, place, { radiusKm, limit }),
} satisfies QueryResolvers;
