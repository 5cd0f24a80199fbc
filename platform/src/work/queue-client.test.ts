import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@loyalty/test/harness/database/database';
import pg from 'pg';
import { QueueClient } from './queue-client.ts';

let pool: pg.Pool;
let drop: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  pool = new pg.Pool({ connectionString: database.url, max: 1, Client: QueueClient as never });
});

afterAll(async () => {
  await pool.end();
  await drop();
});

async function executions(text: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'SELECT (generic_plans + custom_plans)::int AS count FROM pg_prepared_statements WHERE statement = $1',
    [text],
  );
  return rows[0]?.count ?? 0;
}

test('a statement that is sent again is prepared, with the parameters of each time', async () => {
  const text = 'SELECT $1::int + 1 AS next';
  const answers: unknown[] = [];
  for (const number of [1, 2, 3]) answers.push((await pool.query(text, [number])).rows[0]);
  expect(answers).toEqual([{ next: 2 }, { next: 3 }, { next: 4 }]);
  expect(await executions(text)).toBe(2);
});

test('a statement without parameters is prepared, too', async () => {
  const text = 'SELECT 7 AS seven';
  for (const _ of [1, 2]) expect((await pool.query(text)).rows).toEqual([{ seven: 7 }]);
  expect(await executions(text)).toBe(1);
});

test('several statements in one text are sent as they are, however often', async () => {
  for (const _ of [1, 2, 3]) {
    const answers = (await pool.query('SELECT 1 AS one; SELECT 2 AS two')) as unknown as pg.QueryResult[];
    expect(answers.map(({ rows }) => rows)).toEqual([[{ one: 1 }], [{ two: 2 }]]);
  }
});

test('a prepared statement that fails leaves the connection usable', async () => {
  const text = 'SELECT 1 / $1::int AS part';
  expect((await pool.query(text, [1])).rows).toEqual([{ part: 1 }]);
  await expect(pool.query(text, [0])).rejects.toMatchObject({ code: '22012' });
  expect((await pool.query(text, [1])).rows).toEqual([{ part: 1 }]);
});
