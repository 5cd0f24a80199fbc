import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@loyalty/test/harness/database/database';
import { createDatabase, type Database, type TransactionSql } from '../client.ts';

let clone: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;

beforeAll(async () => {
  clone = await createTestDatabase();
  database = createDatabase({ url: clone.url, poolSize: 2 });
  await database.sql.query('CREATE TABLE kept (number int CHECK (number > 0))');
});
afterAll(async () => {
  await database?.close();
  await clone?.drop();
});

const LINES = 10_000;
const piece = Buffer.from('1\n'.repeat(LINES));
const COPY = 'COPY kept FROM STDIN';
const kept = () => database.sql.query<{ rows: number }>('SELECT count(*)::int AS rows FROM kept');

test('other work goes on between the pieces', async () => {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns += 1;
    next = setImmediate(turn);
  });
  const seen: number[] = [];
  function* pieces() {
    for (let made = 0; made < 5; made += 1) {
      seen.push(turns);
      yield piece;
    }
  }
  const rows = await database.transaction(async ({ sql }) => (sql as TransactionSql).copyIn(COPY, pieces()));
  clearImmediate(next);
  expect(rows).toBe(5 * LINES);
  expect(new Set(seen).size).toBe(5);
  expect(await kept()).toEqual([{ rows: 5 * LINES }]);
});

test('no piece is made any more once a row is refused, and the connection goes on', async () => {
  let made = 0;
  let isClosed = false;
  function* pieces() {
    try {
      yield Buffer.from('0\n');
      for (; made < 20_000; made += 1) yield piece;
    } finally {
      isClosed = true;
    }
  }
  const answer = await database.transaction(async ({ sql }) => {
    await sql.query('SAVEPOINT before');
    const copied = (sql as TransactionSql).copyIn(COPY, pieces());
    await expect(copied).rejects.toMatchObject({ code: '23514' });
    await sql.query('ROLLBACK TO SAVEPOINT before');
    return (sql as TransactionSql).copyIn(COPY, '7\n');
  });
  expect(answer).toBe(1);
  expect(made).toBeLessThan(20_000);
  expect(isClosed).toBe(true);
});

test('a connection that ends fails the statement', async () => {
  let isEnding = false;
  const before = await kept();
  const copying = database.transaction(async ({ sql }) => {
    const [backend] = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    function* pieces() {
      for (let made = 0; ; made += 1) {
        yield piece;
        if (made !== 10) continue;
        isEnding = true;
        void database.sql.query('SELECT pg_terminate_backend($1)', [backend!.pid]);
      }
    }
    return (sql as TransactionSql).copyIn(COPY, pieces());
  });
  await expect(copying).rejects.toThrow();
  expect(isEnding).toBe(true);
  expect(await kept()).toEqual(before);
});
