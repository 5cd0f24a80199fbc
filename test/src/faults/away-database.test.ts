import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports, subgraphs } from '@loyalty/cli/subgraphs';
import { loadConfig } from '@loyalty/platform/config/config';
import type { Services } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/graph/peers';
import { createServices } from '@loyalty/platform/services';
import { clientOf } from '../harness/client.ts';
import { createTestDatabase } from '../harness/database/database.ts';
import { eventually } from '../harness/eventually.ts';
import { type DatabaseProxy, type DatabaseState, databaseProxy } from './database-proxy.ts';

const SUBGRAPH_TIMEOUT_MS = 3_000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let proxy: DatabaseProxy;
let directory: string;
let services: Services & { close(): Promise<void> };
let gateway: Awaited<ReturnType<typeof composeGateway>>;
let client: ReturnType<typeof clientOf>;
const known = { token: '', key: '', unseen: '', model: '', memberId: '' };

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await databaseProxy(database.url);
  directory = await mkdtemp(join(tmpdir(), 'loyalty-away-'));
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    LOYALTY_MASTER_KEYS: `test:${randomBytes(32).toString('base64')}`,
    SUBGRAPH_TIMEOUT_MS: String(SUBGRAPH_TIMEOUT_MS),
    DATABASE_POOL_SIZE: '4',
  };
  const config = { ...loadConfig(env, directory), DATABASE_URL: proxy.url };
  services = await createServices(config, 'test', { peers: localPeers(subgraphs) });
  gateway = await composeGateway(services, localTransports(services));
  client = clientOf(await gateway.app.listen({ port: 0, host: '127.0.0.1' }));
  await setUp();
});
afterEach(async () => {
  proxy.set('PASS');
  await eventually(async () => expect((await client.rest('GET', '/readyz')).status).toBe(200));
});
afterAll(async () => {
  await gateway.close();
  await services.close();
  await proxy.close();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

const account = { email: 'away@example.com', password: 'a long password away' };

async function setUp(): Promise<void> {
  await client.rest('POST', '/api/v2/auth/register', { body: { ...account, name: 'Away' } });
  known.token = (await client.rest('POST', '/api/v2/auth/login', { body: account })).body.token;
  const keyOf = async (scopes: readonly string[]) => {
    const made = await client.graph<{ createApiKey: { secret: string } }>(
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { secret } }',
      { input: { name: 'away', scopes, mode: 'LIVE' } },
      known.token,
    );
    return made.data.createApiKey.secret;
  };
  known.key = await keyOf(['members:read', 'members:write', 'points:write']);
  known.unseen = await keyOf(['members:read']);
  known.model = await keyOf(['predictions:read', 'model:data:read']);
  const body = { email: 'kim@example.com' };
  known.memberId = (await client.rest('POST', '/api/v2/members', { as: known.key, body })).body.id;
}

interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function send(method: string, path: string, as: string | null, body?: unknown, accept?: string) {
  const response = await fetch(`${client.url}${path}`, {
    method,
    headers: {
      ...(as && { authorization: `Bearer ${as}` }),
      ...(accept && { accept, 'apollo-require-preflight': '1' }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const query = (text: string, variables: object = {}) => ({ query: text, variables });
const LOGIN = 'mutation ($input: LoginInput!) { login(input: $input) { token } }';

const reads = ['a read over REST', 'a list over REST', 'a call of the model API'];

/** Every kind of request that needs the database. The credentials were used before, except the unseen one. */
const requests: readonly [string, () => Promise<Seen>][] = [
  ['a read over REST', () => send('GET', `/api/v2/members/${known.memberId}`, known.key)],
  ['a list over REST', () => send('GET', '/api/v2/members', known.key)],
  [
    'a write over REST',
    () => send('POST', `/api/v2/members/${known.memberId}/points`, known.key, { amount: 5 }),
  ],
  ['a new member over REST', () => send('POST', '/api/v2/members', known.key, { email: 'new@example.com' })],
  ['a call of the model API', () => send('GET', '/api/v1/data', known.model)],
  [
    'a capability',
    () =>
      send('POST', '/api/v1/capabilities', known.model, {
        name: 'model_get_consumer_state',
        arguments: { member_id: known.memberId },
      }),
  ],
  ['a key that was not seen before', () => send('GET', '/api/v2/members', known.unseen)],
  ['a sign-in', () => send('POST', '/api/v2/auth/login', null, account)],
  [
    'a registration',
    () => send('POST', '/api/v2/auth/register', null, { ...account, email: 'b@example.com', name: 'B' }),
  ],
  [
    'a forgotten password',
    () => send('POST', '/api/v2/auth/forgot-password', null, { email: account.email }),
  ],
  ['a query', () => send('POST', '/graphql', known.key, query('{ members(first: 2) { nodes { id } } }'))],
  [
    'a query by GET',
    () =>
      send(
        'GET',
        `/graphql?query=${encodeURIComponent('{ members(first: 2) { nodes { id } } }')}`,
        known.key,
        undefined,
        'application/graphql-response+json',
      ),
  ],
  [
    'a query of one nullable field',
    () =>
      send(
        'POST',
        '/graphql',
        known.key,
        query('query ($id: ID!) { member(id: $id) { id } }', { id: known.memberId }),
      ),
  ],
  [
    'a mutation',
    () =>
      send(
        'POST',
        '/graphql',
        known.key,
        query('mutation ($id: ID!) { awardPoints(memberId: $id, input: { amount: 3 }) { id } }', {
          id: known.memberId,
        }),
      ),
  ],
  ['a mutation of nobody', () => send('POST', '/graphql', null, query(LOGIN, { input: account }))],
  [
    'an event stream of a key that was not seen before',
    () =>
      send(
        'POST',
        '/graphql',
        known.unseen,
        query('subscription { walletChanged { balance } }'),
        'text/event-stream',
      ),
  ],
];

const AWAY = ['DATABASE_UNAVAILABLE'];

/**
 * Expects 503 from every request.
 *
 * @param codes - the allowed error codes of reads whose callers are known
 */
async function expectUnavailable(codes: readonly string[]): Promise<void> {
  for (const [what, ask] of requests) {
    const { status, headers, text } = await ask();
    if (reads.includes(what)) expect(codes).toContain(headers.get('x-error-code'));
    expect({ what, status, text }).toEqual({ what, status: 503, text });
    expect({ what, retryAfter: headers.get('retry-after') }).toEqual({
      what,
      retryAfter: expect.stringMatching(/^[1-9]\d*$/),
    });
    expect(text).not.toMatch(/INTERNAL|went wrong/);
    if (text.includes('extensions')) expect(text).toContain('"code":"UNAVAILABLE"');
  }
  const ready = await fetch(`${client.url}/readyz`);
  expect(ready.status).toBe(503);
}

describe('a database that is away is 503 with Retry-After on every path', () => {
  const states: readonly [string, DatabaseState, readonly string[]][] = [
    ['refuses connections', 'REFUSE', AWAY],
    ['starts', { sqlState: '57P03' }, AWAY],
    ['is shut down', { sqlState: '57P01' }, AWAY],
    ['has crashed', { sqlState: '57P02' }, AWAY],
    ['lost the connection', { sqlState: '08006' }, AWAY],
    // The connections that were open before are lost, too, so reads may also have the codes of AWAY.
    ['has no connection left', { sqlState: '53300' }, ['OVERLOADED', ...AWAY]],
  ];
  test.each(states)('when it %s', async (_, state, codes) => {
    proxy.set(state);
    await expectUnavailable(codes);
    proxy.set('PASS');
    await eventually(async () => {
      const again = await send('GET', `/api/v2/members/${known.memberId}`, known.key);
      expect(again.status).toBe(200);
    });
  });

  test('when connections are accepted and never answered', async () => {
    proxy.set('HANG');
    await expectUnavailable(AWAY);
  });

  test('and no limit counts those calls: the 2,000th is 503, too', async () => {
    proxy.set('REFUSE');
    const statuses = new Set<number>();
    for (let round = 0; round < 100; round += 1) {
      const asked = Array.from({ length: 20 }, () => send('GET', '/api/v2/members', known.unseen));
      for (const { status } of await Promise.all(asked)) statuses.add(status);
    }
    expect([...statuses]).toEqual([503]);
    proxy.set('PASS');
    await eventually(async () => {
      expect((await send('POST', '/api/v2/auth/login', null, account)).status).toBe(200);
    });
  });
});

test('a transaction whose connection is lost on the way is 503, and done once when it is sent again', async () => {
  const path = `/api/v2/members/${known.memberId}/points`;
  const again = { authorization: `Bearer ${known.key}`, 'content-type': 'application/json' };
  let cuts = 0;
  for (let round = 0; round < 30; round += 1) {
    const body = JSON.stringify({ amount: 1, description: `round ${round}` });
    const award = () =>
      fetch(`${client.url}${path}`, {
        method: 'POST',
        headers: { ...again, 'idempotency-key': `round-${round}` },
        body,
      });
    const first = award();
    // Each round cuts a little later, so that over all rounds every step of the transaction is cut.
    for (let turn = 0; turn < round; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    proxy.set('PASS');
    let { status } = await first;
    expect([200, 503]).toContain(status);
    if (status === 503) cuts += 1;
    await eventually(async () => {
      ({ status } = await award());
      expect(status).toBe(200);
    });
  }
  expect(cuts).toBeGreaterThan(0);
  const entries = await services.database.sql.query<{ description: string }>(
    `SELECT description FROM loyalty.points_entries WHERE description LIKE 'round %'`,
  );
  expect(new Set(entries.map(({ description }) => description)).size).toBe(30);
  expect(entries).toHaveLength(30);
});
