import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase } from '../harness/database/database.ts';
import { columnDescriber } from './described-columns.ts';
import { rowTypeFaults } from './row-types.ts';

const file = 'test/row-types/of-a-test/rows.ts';
const path = join(fileURLToPath(new URL('../../..', import.meta.url)), file);
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
  rmSync(dirname(path), { recursive: true, force: true });
});

const statement = `SELECT id, external_id, status, points_balance, created_at,
                          count(*) OVER () AS total FROM loyalty.members`;

test('PostgreSQL describes the columns of a statement as its client reads them', async () => {
  const columns = await (await columnDescriber(client))(statement);
  expect(Object.fromEntries(columns.map(({ name, ...column }) => [name, column]))).toMatchObject({
    id: { type: 'string', isNullable: false },
    external_id: { type: 'string', isNullable: true },
    created_at: { type: 'Date', isNullable: false },
    total: { type: 'bigint', isNullable: false },
  });
});

const rows = [
  ['{ id: string; externalId: string | null; total: bigint }', null],
  ['{ id: string; notThere?: string }', null],
  ['{ id: string } & { byTag?: Map<string, string> }', null],
  ['{ id: string; surname: string }', '["surname", "is not selected"]'],
  ['{ externalId: string }', '["externalId", "may be null"]'],
  ['{ total: number }', '["total", "has another type", bigint]'],
  ['{ createdAt: string }', '["createdAt", "has another type", Date]'],
] as const;

test('a row that does not hold what its columns say is a fault of its line', async () => {
  const queries = rows.map(([row], index) => `export const rows${index} = sql.query<${row}>('');\n`);
  const source = `declare const sql: { query<Row>(text: string): Promise<Row[]> };\n${queries.join('')}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, source);
  const columns = await (await columnDescriber(client))(statement);
  const calls = rows.map((_, index) => ({ file, line: index + 2, columns }));
  const found = await rowTypeFaults(calls, 'test/row-types/copies-of-a-test');
  const faults = found.map((fault) => /\((\d+),.*Type '(.+?)' does not satisfy/.exec(fault)?.slice(1));
  const expected = rows.flatMap(([, fault], index) => (fault ? [[`${index + 2}`, fault]] : []));
  expect(faults).toEqual(expected);
});
