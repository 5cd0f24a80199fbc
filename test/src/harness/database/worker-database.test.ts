import { expect, test } from '@jest/globals';
import pg from 'pg';
import { withClient } from './database.ts';
import { takeDatabase } from './worker-database.ts';

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const query = (url: string, sql: string): Promise<unknown[]> =>
  withClient(url, async (client) => (await client.query(sql)).rows);

const BUDGETS = 'SELECT * FROM model.rate_budgets';

test('the next file finds the database of the process as migrations made it', async () => {
  const first = await takeDatabase();
  const made = await query(first.url, BUDGETS);
  expect(made).toHaveLength(1);
  await query(first.url, 'DELETE FROM model.rate_budgets');
  await query(
    first.url,
    `INSERT INTO platform.outbox (id, workspace_id, mode, type, payload)
     VALUES (gen_random_uuid(), gen_random_uuid(), 'LIVE', 'test', '{}')`,
  );
  await first.drop();
  const second = await takeDatabase();
  expect(second.url).toBe(first.url);
  expect(await query(second.url, BUDGETS)).toEqual(made);
  expect(await query(second.url, 'SELECT id FROM platform.outbox')).toEqual([]);
  await second.drop();
});

test.each([
  ['table', 'CREATE TABLE public.added (id int)'],
  ['column', 'ALTER TABLE platform.outbox ADD COLUMN added int'],
  ['check', 'ALTER TABLE platform.outbox ADD CONSTRAINT added CHECK (id IS NOT NULL)'],
  ['function', `CREATE FUNCTION public.added() RETURNS int LANGUAGE sql AS 'SELECT 1'`],
])('a database to which a file added a %s is not used again', async (_kind, sql) => {
  const first = await takeDatabase();
  await query(first.url, sql);
  await first.drop();
  const second = await takeDatabase();
  expect(second.url).not.toBe(first.url);
  await second.drop();
});

test('a second database at the same time is another one', async () => {
  const [first, second] = [await takeDatabase(), await takeDatabase()];
  expect(second.url).not.toBe(first.url);
  await second.drop();
  await first.drop();
});

test('a file that leaves a transaction open fails with its last statement', async () => {
  const { url, drop } = await takeDatabase();
  const client = await connect(url);
  await client.query('BEGIN');
  await client.query('SELECT 42 AS left_open');
  await expect(drop()).rejects.toThrow(
    /left connections open:\n.*idle in transaction SELECT 42 AS left_open/,
  );
  const next = await takeDatabase();
  expect(next.url).not.toBe(url);
  await next.drop();
});

const PID = 'SELECT pg_backend_pid() AS pid';

test('the next file reuses the connections of the file before, which gets no more of their statements', async () => {
  const first = await takeDatabase();
  const heard: string[] = [];
  const pid = await first.connect((text) => heard.push(text)).sql.query(PID);
  await first.drop();
  const second = await takeDatabase();
  expect(await second.connect(() => {}).sql.query(PID)).toEqual(pid);
  await second.drop();
  expect(heard).toEqual([PID]);
});

test('a file that takes a connection and keeps it fails', async () => {
  const { url, connect, drop } = await takeDatabase();
  void connect(() => {}).connection(() => new Promise(() => {}));
  await expect(drop()).rejects.toThrow(/left connections open:\n1 that were taken from the pool/);
  const next = await takeDatabase();
  expect(next.url).not.toBe(url);
  await next.drop();
});
