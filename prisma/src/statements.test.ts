import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@loyalty/test/harness/database/database';
import { createDatabase, type Database, type TransactionSql } from './client.ts';
import { columns } from './columns.ts';

const scope = { workspaceId: randomUUID(), mode: 'LIVE' } as const;
const sent: unknown[] = [];
const note = (text: unknown): void => void sent.push(text);
let clone: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;

beforeAll(async () => {
  clone = await createTestDatabase();
  database = createDatabase({ url: clone.url, poolSize: 2 });
  subscribe('loyalty:statement', note);
});
afterAll(async () => {
  unsubscribe('loyalty:statement', note);
  await database?.close();
  await clone?.drop();
});

test('every way to the database publishes its statements', async () => {
  await database.sql.query('SELECT 1');
  await database.outsideTransaction.query('SELECT 2');
  await database.cancellable(new AbortController().signal).sql.query('SELECT 3');
  await database.transaction(async ({ sql, prismaIn }) => {
    await sql.query('CREATE TEMPORARY TABLE kept (who text) ON COMMIT DROP');
    await (sql as TransactionSql).copyIn('COPY kept (who) FROM STDIN', 'ada\n');
    await prismaIn(scope).store.findFirst({ where: { name: 'Ribeira' }, select: columns('id') });
  });
  await database.prismaIn(scope).store.count({ where: {} });
  expect(sent).toEqual([
    'SELECT 1',
    'SELECT 2',
    'SELECT 3',
    'BEGIN',
    'CREATE TEMPORARY TABLE kept (who text) ON COMMIT DROP',
    'COPY kept (who) FROM STDIN',
    expect.stringMatching(/^SELECT .* FROM "commerce"."stores" WHERE/),
    'COMMIT',
    expect.stringMatching(/^SELECT COUNT/),
  ]);
});
