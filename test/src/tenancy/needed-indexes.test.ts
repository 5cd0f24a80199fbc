import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { PRODUCT_SCHEMAS } from '@loyalty/prisma/distribution';
import { fieldOf } from '@loyalty/prisma/named-rows';
import pg from 'pg';
import { modelsIn } from '../architecture/schema-models.ts';
import { createTestDatabase } from '../harness/database/database.ts';
import { type NeededIndex, neededIndexes } from './needed-indexes/needed-indexes.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Index {
  readonly name: string;
  readonly table: string;
  /** Whether the index is unique or a primary key, so that it keeps a rule of the data. */
  readonly isUnique: boolean;
  readonly definition: string;
  /** The columns of the table, without those with which nearly every index begins. */
  readonly columns: readonly string[];
}

let indexes: readonly Index[];

beforeAll(async () => {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  indexes = (
    await client.query<Index>(
      `SELECT c.relname AS name, n.nspname || '.' || t.relname AS table, i.indisunique AS "isUnique",
              pg_get_indexdef(c.oid) AS definition,
              ARRAY(SELECT a.attname::text FROM pg_attribute AS a
                     WHERE a.attrelid = t.oid AND a.attnum > 0
                       AND a.attname NOT IN ('workspace_id', 'mode')) AS columns
         FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
         JOIN pg_class AS t ON t.oid = i.indrelid JOIN pg_namespace AS n ON n.oid = t.relnamespace
        WHERE n.nspname = ANY($1) AND NOT t.relispartition ORDER BY 1`,
      [PRODUCT_SCHEMAS],
    )
  ).rows;
  await client.end();
  await database.drop();
});

const sources = new Map<string, string>();

/**
 * The text of a source file as one line, because a query may go over several lines; null if there is no such
 * file.
 */
function sourceOf(file: string): string | null {
  const path = join(root, file);
  if (!existsSync(path)) return null;
  const known = sources.get(file) ?? inOneLine(readFileSync(path, 'utf8'));
  sources.set(file, known);
  return known;
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

const names = (text: string, word: string): boolean => new RegExp(`\\b(${word})\\b`).test(text);

/** The name of the model on the Prisma client, by `schema.table`. */
const models = new Map(
  globSync('prisma/schema/**/*.prisma', { cwd: root })
    .flatMap((file) => modelsIn(readFileSync(join(root, file), 'utf8')))
    .map(({ table, name }) => [table, `prisma.${name}`]),
);

/** The fault of an entry; null if it has none. */
function faultOf({ name, file, piece }: NeededIndex): string | null {
  const index = indexes.find((each) => each.name === name);
  if (!index) return 'there is no such index';
  if (index.isUnique) return 'it is unique, and needs no entry';
  const source = sourceOf(file);
  if (source === null) return `there is no ${file}`;
  if (!source.includes(inOneLine(piece))) return `${file} has no “${piece}”`;
  const isRead = [index.table, models.get(index.table)!].some((table) => source.includes(table));
  if (!isRead) return `${file} does not name ${index.table}`;
  const [, what = ''] = index.definition.split(' USING ');
  const isAbout = index.columns.some(
    (column) => names(what, column) && names(piece, `${column}|${fieldOf(column)}`),
  );
  return isAbout ? null : `“${piece}” names no column of it`;
}

test('every index keeps a rule or has a query that needs it', () => {
  const needed = new Set(neededIndexes.map(({ name }) => name));
  const others = indexes.filter(({ isUnique }) => !isUnique).map(({ name }) => name);
  expect(others.length).toBeGreaterThan(100);
  expect(others.filter((name) => !needed.has(name))).toEqual([]);
});

test('every query of the list stands in its file, reads the table and names a column of the index', () => {
  const faults = neededIndexes.map((entry) => [entry.name, faultOf(entry)] as const);
  expect(faults.filter(([, fault]) => fault !== null)).toEqual([]);
  const twice = neededIndexes.filter(({ name }, at) => neededIndexes.findIndex((e) => e.name === name) < at);
  expect(twice).toEqual([]);
});

test('what a claim by lease changes is in no index, so that it writes none', () => {
  const claimed = indexes.filter(({ definition }) => names(definition, 'leased_until|claims?'));
  expect(claimed).toEqual([]);
});

test('an entry is refused without its index, its file, its query or a column of the index', () => {
  const entry = neededIndexes.find(({ name }) => name === 'outbox_pending_idx')!;
  const refused = [
    { ...entry, name: 'outbox_missing_idx' },
    { ...entry, name: 'outbox_pkey' },
    { ...entry, file: 'worker/src/missing.ts' },
    { ...entry, piece: 'WHERE relayed_at IS NULL ORDER BY id' },
    { ...entry, file: 'worker/src/reactions.ts', piece: 'import' },
    { ...entry, piece: 'FOR UPDATE SKIP LOCKED' },
  ];
  expect(refused.map(faultOf)).toEqual([
    'there is no such index',
    'it is unique, and needs no entry',
    'there is no worker/src/missing.ts',
    'worker/src/relay.ts has no “WHERE relayed_at IS NULL ORDER BY id”',
    'worker/src/reactions.ts does not name platform.outbox',
    '“FOR UPDATE SKIP LOCKED” names no column of it',
  ]);
});
