/** Degrees: -90 to 90, and -180 to 180. */
export interface GeoPoint {
  readonly latitude: number;
  readonly longitude: number;
}

/** The radius of a search and the maximum number of stores. */
export interface Reach {
  readonly radiusKm: number;
  readonly limit: number;
}

/** The mean radius of the earth (IUGG). */
export const EARTH_RADIUS_KM = 6_371.0088;

/** Ranges of degrees that contain every place within a radius. */
export interface BoundingBox {
  readonly south: number;
  readonly north: number;
  /** One range of longitudes, or two where it crosses the 180th meridian. */
  readonly longitudes: readonly [Range] | readonly [Range, Range];
}

type Range = readonly [west: number, east: number];

const DEGREES = 180 / Math.PI;
/** About 10 cm, so that rounding excludes no place on the border. */
const MARGIN = 1e-6;
const ALL: readonly [Range] = [[-180, 180]];

/**
 * Returns the smallest box around a circle, with a margin. A box that contains a pole has every longitude.
 */
export function boxAround({ latitude, longitude }: GeoPoint, radiusKm: number): BoundingBox {
  const angle = radiusKm / EARTH_RADIUS_KM;
  const south = latitude - angle * DEGREES - MARGIN;
  const north = latitude + angle * DEGREES + MARGIN;
  if (south <= -90 || north >= 90) return { south, north, longitudes: ALL };
  const width = Math.asin(Math.min(1, Math.sin(angle) / Math.cos(latitude / DEGREES))) * DEGREES + MARGIN;
  return { south, north, longitudes: longitudesBetween(longitude - width, longitude + width) };
}

function longitudesBetween(west: number, east: number): BoundingBox['longitudes'] {
  if (east - west >= 360) return ALL;
  if (west < -180)
    return [
      [-180, east],
      [west + 360, 180],
    ];
  if (east > 180)
    return [
      [west, 180],
      [-180, east - 360],
    ];
  return [[west, east]];
}
