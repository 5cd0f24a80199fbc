import type { Context } from '@loyalty/platform/context';
import type { NearbyStore } from '#generated/schema';
import { boxAround, type GeoPoint, type Reach } from './bounding-box.ts';
import { storesInBox } from './nearby-stores.store.ts';

/**
 * Active stores whose place is known, within a radius, nearest first; distances are great-circle distances
 * on a sphere, rounded to metres.
 */
export const listStoresNear = (ctx: Context, place: GeoPoint, reach: Reach): Promise<NearbyStore[]> =>
  storesInBox(ctx, place, boxAround(place, reach.radiusKm), reach);
