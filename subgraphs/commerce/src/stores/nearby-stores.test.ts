import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { EARTH_RADIUS_KM, type GeoPoint } from './bounding-box.ts';
import { createStore, listStoresNear, setStoreStatus } from './stores.service.ts';

const { services, newContext } = useServices();

/** Inserts many stores with one statement, with only the required details. */
async function insertStores(ctx: Context, places: readonly GeoPoint[]): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO commerce.stores (workspace_id, id, name, address, latitude, longitude, hours, status,
                                  created_at, updated_at)
     SELECT $1, s.id, 'Store', 'Street', s.latitude, s.longitude, '[]', 'ACTIVE', $5, $5
       FROM unnest($2::uuid[], $3::float8[], $4::float8[]) AS s(id, latitude, longitude)`,
    [
      ctx.scope.workspaceId,
      places.map(() => newId(ctx.clock)),
      ...arraysOf(places, 'latitude', 'longitude'),
      ctx.clock.now(),
    ],
  );
}

/**
 * The distance by the angle between two vectors from the centre of the earth. The product uses another
 * formula.
 */
function kmBetween(a: GeoPoint, b: GeoPoint): number {
  const vector = ({ latitude, longitude }: GeoPoint): [number, number, number] => {
    const [phi, lambda] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  };
  const [[ax, ay, az], [bx, by, bz]] = [vector(a), vector(b)];
  const cross = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);
  return EARTH_RADIUS_KM * Math.atan2(cross, ax * bx + ay * by + az * bz);
}

/** Places near the poles and the 180th meridian, and ordinary places. */
const centres: readonly GeoPoint[] = [
  { latitude: 90, longitude: 0 },
  { latitude: -90, longitude: 77 },
  { latitude: 89.9, longitude: 179.9 },
  { latitude: -89.85, longitude: -180 },
  { latitude: 0, longitude: 180 },
  { latitude: 16.5, longitude: -180 },
  { latitude: -17.7, longitude: 179.95 },
  { latitude: 66, longitude: -179.8 },
  { latitude: 0, longitude: 0 },
  { latitude: 38.71, longitude: -9.14 },
  { latitude: 84, longitude: 30 },
];

/** Normalizes coordinates: longitudes beyond 180 degrees wrap around, latitudes are limited to the poles. */
const onEarth = (latitude: number, longitude: number): GeoPoint => ({
  latitude: Math.max(-90, Math.min(90, latitude)),
  longitude: Math.abs(longitude) <= 180 ? longitude : longitude - 360 * Math.sign(longitude),
});

const nearCentre = fc
  .tuple(
    fc.constantFrom(...centres),
    fc.double({ min: -1, max: 1, noNaN: true }),
    fc.double({ min: -1, max: 1, noNaN: true }),
  )
  .map(([{ latitude, longitude }, north, east]) => {
    const shrink = Math.max(0.01, Math.cos((latitude * Math.PI) / 180));
    return onEarth(latitude + north * 0.4, longitude + Math.max(-180, Math.min(180, (east * 0.4) / shrink)));
  });
const anywhere = fc
  .tuple(fc.double({ min: -90, max: 90, noNaN: true }), fc.double({ min: -180, max: 180, noNaN: true }))
  .map(([latitude, longitude]) => ({ latitude, longitude }));
const place = fc.oneof({ weight: 4, arbitrary: nearCentre }, anywhere, fc.constantFrom(...centres));

describe('stores near a place', () => {
  let ctx: Context;
  let stores: readonly GeoPoint[];

  beforeAll(async () => {
    ctx = newContext();
    stores = [...fc.sample(place, 1_000), ...centres];
    await insertStores(ctx, stores);
  });

  test('are those that a search through all stores finds, also at the poles and the 180th meridian', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 60 }), async (from, radiusKm) => {
        const expected = stores
          .map((store) => kmBetween(from, store))
          .filter((km) => km <= radiusKm)
          .sort((a, b) => a - b);
        const near = await listStoresNear(ctx, from, { radiusKm, limit: 2_000 });
        // A store within a millimetre of the border may be on either side.
        const border = stores.filter((store) => Math.abs(kmBetween(from, store) - radiusKm) < 1e-6).length;
        expect(Math.abs(near.length - expected.length)).toBeLessThanOrEqual(border);
        near.forEach(({ distanceMeters, ...store }, index) => {
          expect(Math.abs(distanceMeters - kmBetween(from, store) * 1_000)).toBeLessThan(1);
          expect(Math.abs(distanceMeters - expected[index]! * 1_000)).toBeLessThan(1);
        });
        found += near.length;
      }),
      { numRuns: 60 },
    );
    expect(found).toBeGreaterThan(300);
  });

  test('come nearest first, as many as were asked for', async () => {
    const [lisbon] = centres.slice(9);
    const all = await listStoresNear(ctx, lisbon!, { radiusKm: 25, limit: 2_000 });
    expect(all.length).toBeGreaterThan(20);
    expect(all.map(({ distanceMeters }) => distanceMeters)).toEqual(
      all.map(({ distanceMeters }) => distanceMeters).toSorted((a, b) => a - b),
    );
    expect(all[0]).toMatchObject({ name: 'Store', distanceMeters: 0 });
    expect(await listStoresNear(ctx, lisbon!, { radiusKm: 25, limit: 3 })).toEqual(all.slice(0, 3));
  });
});

test('paused and archived stores, stores without a place and other workspaces are left out', async () => {
  const ctx = newContext();
  const here = { latitude: 41.14, longitude: -8.61 };
  const details = { name: 'Ribeira', address: 'Cais da Ribeira 12' };
  const open = await createStore(ctx, { ...details, ...here });
  const paused = await createStore(ctx, { ...details, ...here });
  await setStoreStatus(ctx, paused.id, 'PAUSED');
  const archived = await createStore(ctx, { ...details, ...here });
  await setStoreStatus(ctx, archived.id, 'ARCHIVED');
  await createStore(ctx, details);
  await createStore(newContext(), { ...details, ...here });
  expect(await listStoresNear(ctx, here, { radiusKm: 25, limit: 20 })).toEqual([
    { id: open.id, name: 'Ribeira', ...here, distanceMeters: 0 },
  ]);
});

test('an index finds them among twenty thousand stores', async () => {
  const ctx = newContext();
  await insertStores(ctx, fc.sample(anywhere, 20_000));
  await ctx.sql.query('ANALYZE commerce.stores');
  services.statements.length = 0;
  await listStoresNear(ctx, { latitude: 10, longitude: 179.99 }, { radiusKm: 25, limit: 20 });
  const [sent] = services.statements.filter((text) => text.includes('commerce.stores'));
  const values = [ctx.scope.workspaceId, 10, 179.99, 9.77, 10.23, 179.7, 180, -180, -179.7, 25, 20];
  const plan = await ctx.sql.query<Record<string, string>>(`EXPLAIN (ANALYZE) ${sent!}`, values);
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toMatch(/stores_place_idx/);
  expect(text).not.toMatch(/Seq Scan/);
});
