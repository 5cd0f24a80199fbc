import { globSync, readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { enrol } from './members/members.fixture.ts';
import { expectError } from './shapes.ts';

const stack = useStack();
let token: string;
let live: string;
let sandbox: string;

beforeAll(async () => {
  token = (await stack.signUp()).token;
  live = (await stack.key(token)).secret;
  sandbox = (await stack.key(token, undefined, 'TEST')).secret;
  await stack.work();
});

const path = '/api/v2/test-data/purge';
const totalOf = async (key: string) =>
  (await stack.rest('GET', '/api/v2/members?limit=1', { as: key })).body.total;
const award = (key: string, id: string) =>
  stack.rest('POST', `/api/v2/members/${id}/points`, { as: key, body: { amount: 5 } });

/** Writes some members with points, and suppresses an address. */
async function write(key: string, members: number): Promise<void> {
  for (let made = 0; made < members; made += 1) await award(key, (await enrol(stack, key)).id);
  await stack.rest('POST', '/api/v2/members/unsubscribe', {
    as: key,
    body: { email: `gone.${key.slice(-4)}@example.com` },
  });
}

interface Purge {
  readonly status: string;
  readonly purged: Record<string, number>;
}

async function purgeOf(key: string, id: string): Promise<Purge> {
  const { data } = await stack.graph<{ testDataPurge: Purge }>(
    'query ($id: ID!) { testDataPurge(id: $id) { status purged } }',
    { id },
    key,
  );
  return data.testDataPurge;
}

/** Waits until a purge has ended, because on a busy machine the answer comes while it runs. */
async function ended(key: string, id: string): Promise<Purge> {
  await eventually(async () => expect(await purgeOf(key, id)).toMatchObject({ status: 'COMPLETED' }));
  return purgeOf(key, id);
}

async function rowsByTable(mode: 'LIVE' | 'TEST', workspaceId: string): Promise<Record<string, number>> {
  const { sql } = stack.services.database;
  const tables = await sql.query<{ name: string }>(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.columns
       JOIN pg_class AS c ON c.oid = format('%I.%I', table_schema, table_name)::regclass
      WHERE column_name = 'mode' AND table_schema IN ('loyalty', 'commerce', 'engagement', 'model')
        AND NOT c.relispartition`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await sql.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${name} WHERE workspace_id = $1 AND mode = $2::platform."Mode"`,
      [workspaceId, mode],
    );
    counts[name] = row!.n;
  }
  return counts;
}

test('a purge erases what test keys wrote, counts it, and leaves every live row', async () => {
  const { data } = await stack.graph<{ viewer: { workspace: { id: string } } }>(
    '{ viewer { workspace { id } } }',
    {},
    token,
  );
  const workspaceId = data.viewer.workspace.id;
  await write(live, 2);
  await write(sandbox, 3);
  const before = await rowsByTable('LIVE', workspaceId);
  expect(Object.values(await rowsByTable('TEST', workspaceId)).some((rows) => rows > 0)).toBe(true);

  const { status, body } = await stack.rest('POST', path, { as: sandbox });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ id: expect.any(String), created_at: expect.any(String) });
  // The answer waits only a limited time for the purge, so on a busy machine the status may be `running`.
  expect(['completed', 'running']).toContain(body.data.status);
  expect((await ended(sandbox, body.data.id)).purged).toMatchObject({
    members: 3,
    points: 3,
    suppressions: 1,
    orders: 0,
  });
  expect(Object.values(await rowsByTable('TEST', workspaceId)).every((rows) => rows === 0)).toBe(true);
  expect(await rowsByTable('LIVE', workspaceId)).toEqual(before);
  expect(await totalOf(live)).toBe(2);
});

test('no table that keeps rows by mode is forgotten by the purge', async () => {
  const files = globSync('../../../subgraphs/*/src/**/test-data.jobs.ts', { cwd: import.meta.dirname });
  const emptied = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('');
  const tables = Object.keys(await rowsByTable('TEST', '00000000-0000-0000-0000-000000000000'));
  expect(tables.filter((name) => !emptied.includes(`'${name}'`))).toEqual([]);
});

test('a live key may purge as well, and a clean sandbox has nothing to erase', async () => {
  const { status, body } = await stack.rest('POST', path, { as: live });
  expect(status).toBe(200);
  expect((await ended(live, body.data.id)).purged).toMatchObject({ members: 0, points: 0 });
});

test('purges asked for at once are one purge, which anyone may read until it is over', async () => {
  await write(sandbox, 1);
  const replies = await Promise.all([1, 2, 3].map(() => stack.rest('POST', path, { as: sandbox })));
  const ids = replies.map(({ body }) => body.data.id);
  await eventually(async () => {
    const purges = await Promise.all([...new Set(ids)].map((id) => purgeOf(live, id)));
    expect(purges.map(({ status }) => status)).toEqual(purges.map(() => 'COMPLETED'));
    expect(purges.reduce((sum, { purged }) => sum + purged['members']!, 0)).toBe(1);
  });
});

test('a user sees the sandbox by the switch that the back office sends, and live rows without it', async () => {
  await write(sandbox, 1);
  const total = async (headers?: Record<string, string>) =>
    (await stack.rest('GET', '/api/v2/members', { as: token, ...(headers && { headers }) })).body.total;
  expect(await total({ 'x-loyalty-mode': 'TEST' })).toBe(1);
  expect(await total({ 'x-loyalty-mode': 'LIVE' })).toBe(2);
  expect(await total()).toBe(2);
  const { data } = await stack.graph('{ viewer { mode } }', {}, token, { 'x-loyalty-mode': 'test' });
  expect(data).toEqual({ viewer: { mode: 'TEST' } });
});

test('it needs the scope test_data:purge', async () => {
  const { secret } = await stack.key(token, ['members:write'], 'TEST');
  expectError(await stack.rest('POST', path, { as: secret }), 403, 'SCOPE_MISSING', /test_data:purge/);
});

test("another workspace's purge is not found", async () => {
  const { body } = await stack.rest('POST', path, { as: sandbox });
  const other = await stack.signUp();
  const { data } = await stack.graph(
    'query ($id: ID!) { testDataPurge(id: $id) { id } }',
    { id: body.data.id },
    other.token,
  );
  expect(data).toEqual({ testDataPurge: null });
});
