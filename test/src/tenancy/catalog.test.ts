import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PRODUCT_SCHEMAS, referenceTables } from '@loyalty/prisma/distribution';
import pg from 'pg';
import { createTestDatabase } from '../harness/database/database.ts';
import { allWorkspacesIndexes } from './all-workspaces-indexes.ts';
import { type Table, tablesIn, tenantTablesOf } from './tenant-tables.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
let tables: Table[];
let tenantTables: Set<string>;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  tables = await tablesIn(client);
  tenantTables = tenantTablesOf(tables);
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

interface Index {
  readonly name: string;
  readonly table: string;
  readonly kind: 'PRIMARY' | 'UNIQUE' | 'OTHER';
  /** The first column of the index; null if it is an expression. */
  readonly firstColumn: string | null;
}

/** The indexes of tenant tables, without those of partitions, which are like the indexes of their parents. */
async function indexes(): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `SELECT c.relname AS name, n.nspname || '.' || t.relname AS table, a.attname AS "firstColumn",
            CASE WHEN i.indisprimary THEN 'PRIMARY' WHEN i.indisunique THEN 'UNIQUE' ELSE 'OTHER' END AS kind
       FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid JOIN pg_class AS t ON t.oid = i.indrelid
       JOIN pg_namespace AS n ON n.oid = t.relnamespace
       LEFT JOIN pg_attribute AS a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
      WHERE n.nspname = ANY($1) AND NOT t.relispartition ORDER BY 1`,
    [PRODUCT_SCHEMAS],
  );
  return rows.filter(({ table }) => tenantTables.has(table));
}

test('a table has a column workspace_id, or is a listed reference table', () => {
  const without = tables.filter(({ workspaceColumn }) => workspaceColumn === null).map(({ name }) => name);
  expect(without.filter((name) => !referenceTables.has(name))).toEqual([]);
  expect([...referenceTables.keys()].filter((each) => !tables.some(({ name }) => name === each))).toEqual([]);
});

test("every tenant's row names its workspace, in one type", () => {
  const kinds = tables.filter(({ name }) => tenantTables.has(name)).map((table) => table.workspaceColumn);
  expect(new Set(kinds)).toEqual(new Set(['uuid NOT NULL']));
});

test('every primary key and unique index of tenants starts with workspace_id', async () => {
  const found = (await indexes()).filter(({ kind }) => kind !== 'OTHER');
  expect(found.filter(({ firstColumn }) => firstColumn !== 'workspace_id')).toEqual([]);
  const keyed = new Set(found.filter(({ kind }) => kind === 'PRIMARY').map(({ table }) => table));
  const parents = tables.filter(({ isPartition }) => !isPartition).map(({ name }) => name);
  expect(parents.filter((name) => tenantTables.has(name) && !keyed.has(name))).toEqual([]);
});

test('every other index starts with it, too, but for those that serve all workspaces at once', async () => {
  const others = (await indexes())
    .filter(({ firstColumn }) => firstColumn !== 'workspace_id')
    .map(({ name }) => name);
  expect(others).toEqual([...allWorkspacesIndexes.keys()].sort());
});

test('a foreign key starts with workspace_id on both sides, or refers to a reference table', async () => {
  const { rows } = await client.query<Record<'name' | 'from' | 'to' | 'fromColumn' | 'toColumn', string>>(
    `SELECT f.conname AS name, fn.nspname || '.' || ft.relname AS from, tn.nspname || '.' || tt.relname AS to,
            fa.attname AS "fromColumn", ta.attname AS "toColumn"
       FROM pg_constraint AS f
       JOIN pg_class AS ft ON ft.oid = f.conrelid JOIN pg_namespace AS fn ON fn.oid = ft.relnamespace
       JOIN pg_class AS tt ON tt.oid = f.confrelid JOIN pg_namespace AS tn ON tn.oid = tt.relnamespace
       JOIN pg_attribute AS fa ON fa.attrelid = ft.oid AND fa.attnum = f.conkey[1]
       JOIN pg_attribute AS ta ON ta.attrelid = tt.oid AND ta.attnum = f.confkey[1]
      WHERE f.contype = 'f' AND fn.nspname = ANY($1)`,
    [PRODUCT_SCHEMAS],
  );
  expect(rows.length).toBeGreaterThan(30);
  const isWithinTenant = ({ fromColumn, toColumn }: (typeof rows)[number]) =>
    fromColumn === 'workspace_id' && toColumn === 'workspace_id';
  expect(rows.filter((key) => !referenceTables.has(key.to) && !isWithinTenant(key))).toEqual([]);
  // A reference table is on every node, but the rows of a tenant are on one node only.
  expect(rows.filter(({ from, to }) => referenceTables.has(from) && tenantTables.has(to))).toEqual([]);
});
