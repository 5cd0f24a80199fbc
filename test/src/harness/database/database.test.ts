import { afterAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, withClient } from './database.ts';

const made: { url: string; drop(): Promise<void> }[] = [];

afterAll(async () => {
  for (const { drop } of made) await drop();
});

const query = (url: string, sql: string): Promise<unknown[]> =>
  withClient(url, async (client) => (await client.query(sql)).rows);

test('ten databases made at once are all different and apart', async () => {
  made.push(...(await Promise.all(Array.from({ length: 10 }, createTestDatabase))));
  expect(new Set(made.map(({ url }) => url)).size).toBe(10);
  const [first, second] = made;
  await query(first?.url ?? '', 'CREATE TABLE only_here (id int)');
  expect(await query(second?.url ?? '', "SELECT to_regclass('only_here') AS found")).toEqual([
    { found: null },
  ]);
});

test('a dropped database is gone, even while somebody is connected', async () => {
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  const cut = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  await drop();
  await cut;
  await expect(query(url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
});
