import type { Context } from '@loyalty/platform/context';
import type { NearbyStore } from '#generated/schema';
import { type BoundingBox, EARTH_RADIUS_KM, type GeoPoint, type Reach } from './bounding-box.ts';

/**
 * The absolute value of an angle, at least 1e-9 degrees (0.1 mm), because PostgreSQL fails to square tinier
 * numbers.
 */
const angle = (degrees: string): string => `greatest(abs(${degrees}), 1e-9)`;

/**
 * Returns the stores within a radius. The box selects candidates by the index. The haversine formula, which
 * is exact at small distances and across the 180th meridian, then filters them.
 */
export async function storesInBox(
  ctx: Context,
  { latitude, longitude }: GeoPoint,
  { south, north, longitudes: [first, second] }: BoundingBox,
  { radiusKm, limit }: Reach,
): Promise<NearbyStore[]> {
  return ctx.sql.query<NearbyStore>(
    `SELECT id, name, latitude, longitude, round(km * 1000)::int AS distance_meters
       FROM (SELECT id, name, latitude, longitude,
                    2 * ${EARTH_RADIUS_KM} * asin(sqrt(least(1,
                      sin(radians(${angle('latitude - $2')}) / 2) ^ 2
                      + cos(radians(${angle('latitude')})) * cos(radians(${angle('$2::float8')}))
                        * sin(radians(${angle('longitude - $3')}) / 2) ^ 2
                    ))) AS km
               FROM commerce.stores
              WHERE workspace_id = $1 AND status = 'ACTIVE' AND latitude BETWEEN $4 AND $5
                AND (longitude BETWEEN $6 AND $7 OR longitude BETWEEN $8 AND $9)) AS near
      WHERE km <= $10
      ORDER BY km, id LIMIT $11`,
    [
      ctx.scope.workspaceId,
      latitude,
      longitude,
      south,
      north,
      ...first,
      ...(second ?? [null, null]),
      radiusKm,
      limit,
    ],
  );
}
