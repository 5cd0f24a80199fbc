import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase } from '@loyalty/test/harness/database/database';
import { type Connections, createDatabase, type Database } from './client.ts';

const { signal } = new AbortController();
let made: { url: string; drop(): Promise<void> };
let database: Database;
let request: Connections;

beforeAll(async () => {
  made = await createTestDatabase();
  database = createDatabase({ url: made.url, poolSize: 4 });
});
beforeEach(() => {
  request = database.cancellable(signal);
});
afterAll(async () => {
  await database?.close();
  await made?.drop();
});

async function backendOf({ sql }: Connections): Promise<number> {
  const [row] = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid FROM pg_sleep(0.02)');
  return row!.pid;
}
const backendsOf = async (connections: readonly Connections[]) =>
  new Set(await Promise.all(connections.map(backendOf))).size;

test('statements of one request and tick share a connection, four at most', async () => {
  expect(await backendsOf([request, request])).toBe(1);
  expect(await backendsOf(Array.from({ length: 4 }, () => request))).toBe(1);
  expect(await backendsOf(Array.from({ length: 5 }, () => request))).toBe(2);
  expect(database.pools().shared.inUse).toBe(0);
});

test('so do those that answers of the same tick lead to', async () => {
  const later = Promise.resolve().then(() => backendOf(request));
  expect(await backendOf(request)).toBe(await later);
});

test('statements of two requests do not', async () => {
  expect(await backendsOf([request, database.cancellable(signal)])).toBe(2);
});

test('each is answered, or fails, by itself', async () => {
  const { sql } = request;
  const answers = await Promise.allSettled([
    sql.query('SELECT 1 AS one'),
    sql.query('SELECT 1 / 0'),
    sql.query('SELECT $1::int AS two', ['not a number']),
    sql.query('SELECT 2 AS two'),
  ]);
  expect(answers).toMatchObject([
    { value: [{ one: 1 }] },
    { reason: { code: '22012' } },
    { reason: { code: '22P02' } },
    { value: [{ two: 2 }] },
  ]);
  expect(await sql.query('SELECT 3 AS three')).toEqual([{ three: 3 }]);
});

test('each of them fails where no connection is to be had', async () => {
  const away = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
  const { sql } = away.cancellable(signal);
  const answers = await Promise.allSettled([sql.query('SELECT 1'), sql.query('SELECT 2')]);
  expect(answers).toMatchObject([{ reason: { code: 'ECONNREFUSED' } }, { reason: { code: 'ECONNREFUSED' } }]);
  await away.close();
});
