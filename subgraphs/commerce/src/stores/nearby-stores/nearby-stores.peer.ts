import type { Context } from '@loyalty/platform/context';

/** Degrees: -90 to 90, and -180 to 180. */
export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** A store and how far it is from a place, in metres. */
export interface NearbyStore extends GeoPoint {
  readonly id: string;
  readonly name: string;
  readonly distanceMeters: number;
}

/** How far from the place, and how many at most. */
export interface Reach {
  readonly radiusKm: number;
  readonly limit: number;
}

const STORES_NEAR = `query StoresNear(
  $latitude: Float!, $longitude: Float!, $radiusKm: Float!, $limit: Int!
) {
  _storesNear(latitude: $latitude, longitude: $longitude, radiusKm: $radiusKm, limit: $limit)
}`;

/** Active stores near a place, nearest first. @throws AppError PEER_UNAVAILABLE (503) */
export async function storesNear(ctx: Context, place: GeoPoint, reach: Reach): Promise<NearbyStore[]> {
  const variables = { ...place, ...reach };
  const answer = await ctx.services.peers.ask(ctx, 'commerce', { query: STORES_NEAR, variables });
  return answer['_storesNear'] as NearbyStore[];
}
