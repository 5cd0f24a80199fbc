import type { Context } from '@loyalty/platform/context';
import { boxAround } from './bounding-box.ts';
import type { GeoPoint, NearbyStore, Reach } from './nearby-stores.peer.ts';
import { storesInBox } from './nearby-stores.store.ts';

/**
 * Active stores whose place is known, within a radius, nearest first; distances are great-circle distances
 * on a sphere, rounded to metres.
 */
export const listStoresNear = (ctx: Context, place: GeoPoint, reach: Reach): Promise<NearbyStore[]> =>
  storesInBox(ctx, place, boxAround(place, reach.radiusKm), reach);
