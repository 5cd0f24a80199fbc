import { beforeAll, describe, expect, test } from '@jest/globals';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports, subgraphs } from '@loyalty/cli/subgraphs';
import { overHttp } from '@loyalty/gateway/transport/http-transport';
import { subgraphServer } from '@loyalty/platform/graph/subgraph-server';
import { callerSecrets } from '@loyalty/platform/identity/subgraph-addresses';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { type Client, clientOf } from '../../harness/client.ts';
import { useStack } from '../../harness/stack.ts';
import { expectError } from '../shapes.ts';
import { consentToLocation, locationWorkspace, signedInMember } from './location.fixture.ts';

const stack = useStack();
let workspace: Awaited<ReturnType<typeof locationWorkspace>>;
/** A client of the same product in which engagement runs in a process of its own. */
let apart: Client;

const NEARBY = '/api/v2/lbs/nearby-stores';
const EVENT = '/api/v2/lbs/geofence-event';
const here = { lat: 41.1409, lng: -8.6132 };
const GPC = { 'sec-gpc': '1' };

beforeAll(async () => {
  workspace = await locationWorkspace(stack);
  const { services } = stack;
  const secrets = callerSecrets(services.config);
  const engagement = subgraphServer(subgraphs.engagement, services, secrets);
  const url = `${await engagement.listen({ port: 0, host: '127.0.0.1' })}/graphql`;
  const limits = { timeoutMs: 10_000, answerBytesMax: 1_000_000 };
  const remote = overHttp({ ...services, name: 'engagement', url, secrets, ...limits });
  const gateway = await composeGateway(services, { ...localTransports(services), engagement: remote });
  apart = clientOf(await gateway.app.listen({ port: 0, host: '127.0.0.1' }));
  stack.beforeClose(async () => {
    await gateway.close();
    await engagement.close();
  });
});

const post = (path: string, as: string | null, body: unknown, headers = {}, { rest }: Client = stack) =>
  rest('POST', path, { as, body, headers });

describe('nearby stores', () => {
  test('are printed as documented, nearest first', async () => {
    const { session } = await signedInMember(stack, workspace.key);
    const { status, body } = await post(NEARBY, session, here);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        geofences: [
          { storeId: workspace.near, name: 'Ribeira', lat: 41.1407, lng: -8.6131, distanceMeters: 24 },
          {
            storeId: workspace.far,
            name: 'Foz',
            lat: 41.1496,
            lng: -8.6781,
            distanceMeters: expect.any(Number),
          },
        ],
      },
    });
    expect(body.geofences[1].distanceMeters).toBeGreaterThan(5_000);
    expect((await post(NEARBY, session, { ...here, limit: 1 })).body.geofences).toHaveLength(1);
    expect((await post(NEARBY, session, { lat: 0, lng: 0 })).body).toEqual({ geofences: [] });
  });

  test('need a valid place', async () => {
    const { session } = await signedInMember(stack, workspace.key);
    for (const [body, sentence] of [
      [{ lng: 1 }, 'lat is required'],
      [{ ...here, lat: 91 }, 'lat must be between -90 and 90'],
      [{ ...here, lng: -180.1 }, 'lng must be between -180 and 180'],
      [{ ...here, lat: '41' }, 'lat must be a number'],
      [{ ...here, limit: 21 }, 'limit must be between 1 and 20'],
      [{ ...here, limit: 0 }, 'limit must be between 1 and 20'],
      [{ ...here, limit: 1.5 }, 'limit must be a whole number'],
    ] as const)
      expectError(await post(NEARBY, session, body), 400, 'VALIDATION_FAILED', sentence);
    const more = { ...here, memberId: 'x' };
    expectError(await post(NEARBY, session, more), 400, 'UNKNOWN_FIELD', 'memberId is not a field');
  });
});

describe('a geofence event', () => {
  test('is recorded, and names a store of the workspace', async () => {
    const { session } = await signedInMember(stack, workspace.key);
    for (const eventType of ['enter', 'dwell']) {
      const { status, body } = await post(EVENT, session, { storeId: workspace.near, eventType });
      expect({ status, body }).toEqual({ status: 200, body: { recorded: true } });
    }
    const { near: foreign } = await locationWorkspace(stack);
    const unknown = { storeId: foreign, eventType: 'enter' };
    expectError(await post(EVENT, session, unknown), 404, 'STORE_NOT_FOUND', foreign);
    const exit = { storeId: workspace.near, eventType: 'exit' };
    expectError(
      await post(EVENT, session, exit),
      400,
      'VALIDATION_FAILED',
      'eventType must be one of enter, dwell',
    );
    const noId = { storeId: 'x', eventType: 'enter' };
    expectError(await post(EVENT, session, noId), 400, 'INVALID_ID', 'storeId must be a UUID');
  });

  test('is not recorded with the privacy signal or without consent; a change of consent counts at the next call', async () => {
    const { id, session } = await signedInMember(stack, workspace.key, false);
    const record = async (headers = {}) =>
      (await post(EVENT, session, { storeId: workspace.near, eventType: 'enter' }, headers)).body;
    expect(await record()).toEqual({ recorded: false, reason: 'no_consent' });
    expect(await record(GPC)).toEqual({ recorded: false, reason: 'gpc' });
    await consentToLocation(stack, workspace.key, id, true);
    expect(await record(GPC)).toEqual({ recorded: false, reason: 'gpc' });
    expect(await record({ 'sec-gpc': '0' })).toEqual({ recorded: true });
    await consentToLocation(stack, workspace.key, id, false);
    expect(await record()).toEqual({ recorded: false, reason: 'no_consent' });
  });
});

test('the privacy signal counts in this process and in another, also beside the same query without it', async () => {
  const { session } = await signedInMember(stack, workspace.key);
  for (const client of [stack, apart]) {
    const answers = await Promise.all([
      post(NEARBY, session, here, {}, client),
      post(NEARBY, session, here, GPC, client),
      post(NEARBY, session, here, {}, client),
    ]);
    expect(answers.map(({ body }) => body.geofences.length)).toEqual([2, 0, 2]);
    const event = { storeId: workspace.near, eventType: 'dwell' };
    expect((await post(EVENT, session, event, GPC, client)).body).toEqual({ recorded: false, reason: 'gpc' });
    expect((await post(EVENT, session, event, {}, client)).body).toEqual({ recorded: true });
  }
});

test('the privacy signal counts on event streams and sockets, where the connection carries it', async () => {
  const { session } = await signedInMember(stack, workspace.key);
  const query = `{ nearbyStores(latitude: ${here.lat}, longitude: ${here.lng}) { storeId } }`;
  const streamed = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'text/event-stream' },
      ...{ authorization: `Bearer ${session}`, ...GPC },
    },
    body: JSON.stringify({ query }),
  });
  expect(await streamed.text()).toContain('{"data":{"nearbyStores":[]}');
  for (const [headers, count] of [
    [GPC, 0],
    [{}, 2],
  ] as const) {
    const client = createClient({
      url: `${stack.url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: new Proxy(WebSocket, {
        construct: (Socket, [address, protocols]) => new Socket(address, protocols, { headers }),
      }),
      connectionParams: { authorization: `Bearer ${session}` },
    });
    const { value } = await client.iterate<{ nearbyStores: object[] }>({ query }).next();
    expect(value.data.nearbyStores).toHaveLength(count);
    await client.dispose();
  }
});

test('only a member session with the module is let in: a key gets 401', async () => {
  for (const [path, body] of [
    [NEARBY, here],
    [EVENT, { storeId: workspace.near, eventType: 'enter' }],
  ] as const) {
    expectError(await post(path, null, body), 401, 'CREDENTIAL_MISSING', 'session token');
    expectError(await post(path, workspace.key, body), 401, 'MEMBER_SESSION_REQUIRED', 'signed-in member');
    expectError(await post(path, workspace.token, body), 403, 'CALLER_REFUSED', 'call it as member');
    const other = await stack.signUp();
    const { session } = await signedInMember(stack, (await stack.key(other.token)).secret);
    expectError(await post(path, session, body), 403, 'MODULE_DISABLED', 'location');
  }
});

test('the same Idempotency-Key answers each call anew for places, and replays events', async () => {
  const { id, session } = await signedInMember(stack, workspace.key);
  const headers = { 'idempotency-key': 'one-key' };
  expect((await post(NEARBY, session, here, headers)).body.geofences).toHaveLength(2);
  expect((await post(NEARBY, session, { lat: 0, lng: 0 }, headers)).body.geofences).toEqual([]);
  const event = { storeId: workspace.near, eventType: 'enter' };
  for (let n = 0; n < 2; n += 1)
    expect((await post(EVENT, session, event, { 'idempotency-key': 'two' })).body).toEqual({
      recorded: true,
    });
  const kept = await stack.services.database.sql.query(
    'SELECT key FROM platform.idempotency_keys WHERE actor = $1',
    [`member:${id}`],
  );
  expect(kept).toHaveLength(1);
});
