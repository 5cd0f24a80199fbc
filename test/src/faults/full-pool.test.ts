import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { composeGateway } from '@loyalty/cli/serve/compose-process';
import { localTransports, subgraphs } from '@loyalty/cli/subgraphs';
import { loadConfig } from '@loyalty/platform/config/config';
import type { Services } from '@loyalty/platform/context';
import { localPeers } from '@loyalty/platform/graph/peers';
import { createServices } from '@loyalty/platform/services';
import { event, publish } from '@loyalty/platform/work/events';
import { job } from '@loyalty/platform/work/jobs';
import { on } from '@loyalty/worker/reactions';
import { startWorker } from '@loyalty/worker/worker';
import { z } from 'zod';
import { clientOf } from '../harness/client.ts';
import { createTestDatabase } from '../harness/database/database.ts';
import { eventually } from '../harness/eventually.ts';
import { callerOf, contextOf } from '../harness/services.ts';

const POOL = 3;
const SUBGRAPH_TIMEOUT_MS = 5_000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let directory: string;
let services: Services & { close(): Promise<void> };
let gateway: Awaited<ReturnType<typeof composeGateway>>;
let client: ReturnType<typeof clientOf>;
let key: string;
let memberId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'loyalty-pool-'));
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    LOYALTY_MASTER_KEYS: `test:${randomBytes(32).toString('base64')}`,
    SUBGRAPH_TIMEOUT_MS: String(SUBGRAPH_TIMEOUT_MS),
    DATABASE_POOL_SIZE: String(POOL),
  };
  const config = { ...loadConfig(env, directory), DATABASE_URL: database.url };
  services = await createServices(config, 'test', { peers: localPeers(subgraphs) });
  gateway = await composeGateway(services, localTransports(services));
  client = clientOf(await gateway.app.listen({ port: 0, host: '127.0.0.1' }));
  const account = { email: 'pool@example.com', password: 'a long password pool' };
  await client.rest('POST', '/api/v2/auth/register', { body: { ...account, name: 'Pool' } });
  const { token } = (await client.rest('POST', '/api/v2/auth/login', { body: account })).body;
  const body = { name: 'pool', scopes: ['members:read', 'members:write', 'points:write'] };
  key = (await client.rest('POST', '/api/v2/api-keys', { as: token, body })).body.key;
  const member = { email: 'kim@example.com' };
  memberId = (await client.rest('POST', '/api/v2/members', { as: key, body: member })).body.id;
});
afterAll(async () => {
  await gateway.close();
  await services.close();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

/** Takes every connection of the request pool, as hanging statements would; the result releases them. */
async function fillPool(): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  const taken = Array.from({ length: POOL }, () => Promise.withResolvers<void>());
  const held = taken.map(({ resolve }) =>
    services.database.connection(async () => {
      resolve();
      await gate.promise;
    }),
  );
  await Promise.all(taken.map(({ promise }) => promise));
  return async () => {
    gate.resolve();
    await Promise.all(held);
  };
}

async function connections(pool: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${client.url}/metrics`)).text();
  const lines = text.matchAll(/^loyalty_database_connections\{pool="([\w-]+)",state="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries(
    [...lines].flatMap(([, name, state, count]) => (name === pool ? [[state, Number(count)]] : [])),
  );
}

test('who gets no connection in time is answered 503 with a code of its own before the deadline, and the metrics show who waits', async () => {
  const read = () => client.rest('GET', `/api/v2/members/${memberId}`, { as: key });
  expect((await read()).status).toBe(200);
  const empty = await fillPool();
  const asked = Array.from({ length: 5 }, () => client.rest('GET', '/api/v2/members', { as: key }));
  const award = { amount: 5, description: 'in vain' };
  asked.push(client.rest('POST', `/api/v2/members/${memberId}/points`, { as: key, body: award }));
  await eventually(async () => {
    const seen = await connections('requests');
    expect(seen).toMatchObject({ in_use: POOL, idle: 0, max: POOL });
    expect(seen['waiting']).toBeGreaterThan(0);
  });
  for (const { status, headers, body } of await Promise.all(asked)) {
    expect({ status, body }).toEqual({
      status: 503,
      // The reason is not a timeout of the subgraph: its statements failed earlier.
      body: { error: expect.stringContaining('Too many calls wait for the database.') },
    });
    // The code does not say that the database is away.
    expect(headers.get('x-error-code')).toBe('OVERLOADED');
    expect(headers.get('retry-after')).toBe('1');
  }
  await empty();
  expect((await read()).status).toBe(200);
  // Writes after the answer, such as that of a key's last use, may still run.
  await eventually(async () =>
    expect(await connections('requests')).toMatchObject({ in_use: 0, waiting: 0 }),
  );
  expect(await connections('requests-outside-transaction')).toMatchObject({ max: 2 });
});

test('jobs run on connections of their own while requests hold all of theirs', async () => {
  const noted = event('test.noted', z.object({ number: z.number() }));
  const ran: number[] = [];
  const note = job('test.note', z.object({ number: z.number() }), async (ctx, { number }) => {
    await ctx.sql.query('SELECT 1');
    ran.push(number);
  });
  const ctx = contextOf(services, callerOf());
  await ctx.transaction((tx) => publish(tx, noted, { number: 7 }));
  const empty = await fillPool();
  const config = { ...services.config, DATABASE_URL: database.url };
  const worker = await startWorker({ ...services, config }, { reactions: [on(noted, note)], schedule: [] });
  try {
    await eventually(() => expect(ran).toContain(7));
    expect((await connections('jobs'))['max']).toBeGreaterThan(0);
    expect(await connections('requests')).toMatchObject({ in_use: POOL });
  } finally {
    await empty();
    await worker.stop();
  }
  expect(await connections('jobs')).toEqual({});
});
