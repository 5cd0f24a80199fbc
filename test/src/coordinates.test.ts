import { beforeAll, expect, test } from '@jest/globals';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports } from '@loyalty/cli/subgraphs';
import { createLog } from '@loyalty/platform/observe/log';
import { startTelemetry } from '@loyalty/platform/observe/telemetry';
import { PRODUCT_SCHEMAS } from '@loyalty/prisma/distribution';
import { startWorker } from '@loyalty/worker/worker';
import { consentToLocation, locationWorkspace, signedInMember } from './contract/members/location.fixture.ts';
import { type Client, clientOf } from './harness/client.ts';
import { startCollector } from './harness/collector.ts';
import { eventually } from './harness/eventually.ts';
import { useStack } from './harness/stack.ts';

const stack = useStack();
const NEARBY = '/api/v2/lbs/nearby-stores';
const QUERY = `query Near($latitude: Float!, $longitude: Float!) {
  nearbyStores(latitude: $latitude, longitude: $longitude) { storeId } }`;

/** Coordinates with a sequence of digits that no other value contains. */
const latitude = 41.14098273645;
const longitude = -8.61318273645;
const DIGITS = '8273645';

let logged = '';
let exported = '';
let metrics = '';
let lbsCalls = 0;

beforeAll(async () => {
  const collector = await startCollector();
  stack.beforeClose(() => collector.close());
  const { endpoint } = collector;
  const telemetry = await startTelemetry({ endpoint, serviceName: 'test' });
  const write = (line: string) => {
    logged += line;
  };
  const log = createLog({ level: 'trace', name: 'test', destination: { write } });
  const services = { ...stack.services, log };
  const gateway = await composeGateway(services, localTransports(services));
  const worker = await startWorker({
    ...services,
    config: { ...services.config, DATABASE_URL: services.url },
  });
  const client = clientOf(await gateway.app.listen({ port: 0, host: '127.0.0.1' }));
  await useLocation(client);
  ({ body: metrics } = await client.rest('GET', '/metrics'));
  await worker.stop();
  // Closing the gateway writes the call log.
  await gateway.close();
  await telemetry.stop();
  exported = collector.exported();
});

/** Sends places in every way, valid and invalid, and once while the stores cannot be read. */
async function useLocation(client: Client): Promise<void> {
  const { key, near } = await locationWorkspace(stack);
  const { id, session } = await signedInMember(stack, key);
  const headers = { 'idempotency-key': 'a-key' };
  const lbs = async (body: unknown, more = headers) => {
    lbsCalls += 1;
    return (await client.rest('POST', NEARBY, { as: session, body, headers: more })).status;
  };
  const place = { lat: latitude, lng: longitude };
  expect(await lbs(place)).toBe(200);
  expect(await lbs({ ...place, lat: 100 + latitude })).toBe(400);
  expect(await lbs({ ...place, lat: String(latitude) })).toBe(400);
  expect(await lbs({ ...place, limit: 21 })).toBe(400);
  expect(await lbs({ ...place, [`lat${DIGITS}`]: latitude })).toBe(400);
  expect(await lbs(`{"lat": ${latitude}, "lng": ${longitude}`)).toBe(400);
  const graph = (variables: object) => client.graph(QUERY, variables, session, headers);
  await graph({ latitude, longitude });
  await graph({ latitude: String(latitude), longitude });
  await graph({ latitude: 1_000 + latitude, longitude });
  const inUrl = new URLSearchParams({ query: QUERY, variables: JSON.stringify({ latitude, longitude }) });
  expect((await client.rest('GET', `/graphql?${inUrl}`, { as: session })).status).toBe(200);
  const event = { storeId: near, eventType: 'enter' };
  await client.rest('POST', '/api/v2/lbs/geofence-event', { as: session, body: event });
  const { sql } = stack.services.database;
  await sql.query('ALTER TABLE commerce.stores RENAME COLUMN latitude TO latitude_away');
  expect(await lbs(place)).toBeGreaterThanOrEqual(500);
  await sql.query('ALTER TABLE commerce.stores RENAME COLUMN latitude_away TO latitude');
  await consentToLocation(stack, key, id, false);
  expect(await lbs(place)).toBe(200);
  await eventually(async () => {
    const waiting = await sql.query('SELECT 1 FROM platform.outbox WHERE relayed_at IS NULL');
    expect(waiting).toEqual([]);
  });
}

test('where a member was is in no row of any table', async () => {
  const { sql } = stack.services.database;
  const tables = await sql.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name
       FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND n.nspname NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(new Set(tables.map(({ name }) => name.split('.')[0]))).toEqual(
    new Set([...PRODUCT_SCHEMAS, 'pgboss', 'public']),
  );
  const holding: string[] = [];
  for (const { name } of tables) {
    const rows = await sql.query(`SELECT 1 FROM ${name} AS t WHERE t::text LIKE $1 LIMIT 1`, [`%${DIGITS}%`]);
    if (rows.length > 0) holding.push(name);
  }
  expect(holding).toEqual([]);
  // The rows exist, so the search would have found a coordinate in them.
  expect(await sql.query('SELECT 1 FROM engagement.geofence_events')).toHaveLength(1);
  const calls = await sql.query('SELECT 1 FROM workspace.call_log WHERE operation = $1', [`POST ${NEARBY}`]);
  expect(calls).toHaveLength(lbsCalls);
});

test('where a member was is in no log of any level, no span and no metric', () => {
  expect(logged).toContain('latitude');
  expect(logged).not.toContain(DIGITS);
  expect(exported).toContain('resourceSpans');
  expect(exported).not.toContain(DIGITS);
  expect(metrics).toContain('loyalty_');
  expect(metrics).not.toContain(DIGITS);
});
