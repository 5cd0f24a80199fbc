import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import {
  databaseName,
  pathsIn,
  readPassword,
  temporaryDataDir,
} from '@loyalty/prisma/embedded/postgres-data-dir';
import { postmasterPid } from '@loyalty/prisma/embedded/postgres-owner';
import { processIdentity, waitForEnd } from '@loyalty/prisma/embedded/postgres-process';
import pg from 'pg';
import { clientOf } from '../harness/client.ts';
import { eventually } from '../harness/eventually.ts';
import { watch } from '../harness/watch.ts';
import { type Process, startProcess } from '../processes/processes.ts';

const WRITERS = 8;
const KILLS = 3;

const dataDir = temporaryDataDir('loyalty-killed-');
const dir = pathsIn(dataDir);
const env = {
  LOYALTY_DATA_DIR: dataDir,
  LOYALTY_DEMO: '0',
  LOYALTY_MASTER_KEYS: `test:${randomBytes(32).toString('base64')}`,
};
let product: Process | undefined;

afterAll(async () => {
  await product?.end();
  const pid = postmasterPid(dir);
  if (pid !== null && processIdentity(pid) !== null) process.kill(pid, 'SIGKILL');
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

const killDatabase = () => process.kill(postmasterPid(dir)!, 'SIGKILL');

interface Load {
  /** Ids of awards that were answered with 200. */
  readonly acknowledged: Set<string>;
  /** The number of other answers, by status. */
  readonly refusals: Map<number, number>;
  /** When the last award was acknowledged, in milliseconds since the process started. */
  lastAt: number;
}

/**
 * A client that awards points one after another, each with an idempotency key of its own, and repeats an
 * award until it is acknowledged.
 */
async function write(url: string, path: string, key: string, load: Load, signal: AbortSignal): Promise<void> {
  for (let number = 0; !signal.aborted; number += 1) {
    const id = `award-${randomBytes(8).toString('hex')}-${number}`;
    while (!signal.aborted) {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': id,
        },
        body: JSON.stringify({ amount: 1, description: id }),
      });
      await response.arrayBuffer();
      if (response.status === 200) {
        load.acknowledged.add(id);
        load.lastAt = performance.now();
        break;
      }
      load.refusals.set(response.status, (load.refusals.get(response.status) ?? 0) + 1);
      await delay(20);
    }
  }
}

/** Makes a workspace without limits, a key of it and a member. */
async function givenMember(url: string) {
  const client = clientOf(url);
  const account = { email: 'load@example.com', password: 'a long password here' };
  await client.rest('POST', '/api/v2/auth/register', { body: { ...account, name: 'Load' } });
  const { token } = (await client.rest('POST', '/api/v2/auth/login', { body: account })).body;
  await client.graph(
    'mutation { updateLimits(input: { requestsPerMinute: 100000, valueWritesPerMinute: 100000 }) { id } }',
    {},
    token,
  );
  const scopes = ['members:read', 'members:write', 'points:write'];
  const key = (await client.rest('POST', '/api/v2/api-keys', { as: token, body: { name: 'load', scopes } }))
    .body.key;
  const { id } = (
    await client.rest('POST', '/api/v2/members', { as: key, body: { email: 'kim@example.com' } })
  ).body;
  return { client, key: key as string, id: id as string };
}

test('a database that is killed under load is back by itself, and no acknowledged write is lost', async () => {
  product = await startProcess(['start'], env);
  const { client, key, id } = await givenMember(product.url);
  const activity =
    'subscription ($id: ID!) { memberActivity(memberId: $id) { pointsTransaction { description } } }';
  const watched = await watch(product.url, { query: activity, variables: { id } }, key);

  const load: Load = { acknowledged: new Set(), refusals: new Map(), lastAt: 0 };
  const ending = new AbortController();
  const path = `/api/v2/members/${id}/points`;
  const writers = Array.from({ length: WRITERS }, () => write(client.url, path, key, load, ending.signal));
  const moreThan = (count: number) => eventually(() => expect(load.acknowledged.size).toBeGreaterThan(count));
  await moreThan(50);

  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = load.acknowledged.size;
    const former = postmasterPid(dir)!;
    killDatabase();
    expect(await waitForEnd(former, 60_000)).toBe(true);
    await eventually(async () => expect((await client.rest('GET', '/readyz')).status).toBe(200));
    await moreThan(before + 1);
    await moreThan(load.acknowledged.size + 50);
  }
  // Other parts recover as well: the socket receives a write, and the worker has relayed every event.
  const last = `last-${randomBytes(4).toString('hex')}`;
  await eventually(async () => {
    await client.rest('POST', path, { as: key, body: { amount: 1, description: last } });
    expect(JSON.stringify(watched.results)).toContain(last);
  });
  ending.abort();
  await Promise.all(writers);
  await watched.stop();
  expect([...load.refusals.keys()]).toEqual([503]);

  await expectKept(load.acknowledged);
  expect(product.output()).toMatch(/"restart":1.*the embedded PostgreSQL ended and is started again/);
}, 300_000);

/** Expects that every acknowledged award is in the ledger once, and that every event was relayed. */
async function expectKept(acknowledged: ReadonlySet<string>): Promise<void> {
  const [, , , port] = readFileSync(join(dir.cluster, 'postmaster.pid'), 'utf8').split('\n');
  const client = new pg.Client(
    `postgresql://${databaseName}:${readPassword(dir)}@127.0.0.1:${port}/${databaseName}`,
  );
  await client.connect();
  try {
    const { rows } = await client.query<{ description: string; times: number }>(
      `SELECT description, count(*)::int AS times FROM loyalty.points_entries GROUP BY description`,
    );
    const times = new Map(rows.map((row) => [row.description, row.times]));
    expect([...acknowledged].filter((id) => !times.has(id))).toEqual([]);
    expect(rows.filter((row) => row.description.startsWith('award-') && row.times !== 1)).toEqual([]);
    await eventually(async () => {
      const waiting = await client.query('SELECT 1 FROM platform.outbox WHERE relayed_at IS NULL');
      expect(waiting.rowCount).toBe(0);
    });
  } finally {
    await client.end();
  }
}

test('a database that does not start any more ends the process with one sentence', async () => {
  const failing = product!;
  const control = join(dir.cluster, 'global', 'pg_control');
  renameSync(control, `${control}.moved`);
  killDatabase();
  const statuses = new Set<number>();
  const ended = await eventually(async () => {
    const ready = await fetch(`${failing.url}/readyz`).catch(() => null);
    if (ready) statuses.add(ready.status);
    expect(ready).toBeNull();
    return failing.end();
  });
  expect(ended).toBe(1);
  expect([...statuses].filter((status) => status !== 200)).toEqual([503]);
  const sentences = failing.output().match(/^PostgreSQL ended \d times within 5 minutes .*$/gm);
  expect(sentences).toEqual([expect.stringMatching(/pg_control.*; remove that cause and start again/)]);
});
