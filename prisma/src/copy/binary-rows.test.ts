import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase } from '@loyalty/test/harness/database/database';
import { createDatabase, type Database, type TransactionSql } from '../client.ts';
import { binaryRows, type RowCells } from './binary-rows.ts';

let clone: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;

beforeAll(async () => {
  clone = await createTestDatabase();
  database = createDatabase({ url: clone.url, poolSize: 2 });
});
afterAll(async () => {
  await database?.close();
  await clone?.drop();
});

let tables = 0;

/** Copies the values into a column of this type and returns what PostgreSQL reads, in order. */
async function readBack<T>(type: string, values: readonly T[], write: (cells: RowCells, value: T) => void) {
  return database.transaction(async ({ sql }) => {
    // A new name, because prepared statements keep the old type.
    tables += 1;
    const table = `kept_${tables}`;
    await sql.query(`CREATE TEMPORARY TABLE ${table} (place bigserial, value ${type}) ON COMMIT DROP`);
    const copied = await (sql as TransactionSql).copyIn(
      `COPY ${table} (value) FROM STDIN (FORMAT binary)`,
      binaryRows(1, values, write),
    );
    expect(copied).toBe(values.length);
    const rows = await sql.query<{ value: unknown }>(`SELECT value FROM ${table} ORDER BY place`);
    return rows.map(({ value }) => value);
  });
}

const texts = ['', ' ', 'tab\tline\nend\r', '\\N', '"quoted"', 'ключ ✓ 🫖', null, 'NULL'];
const id = '0193abcd-ef01-7fff-8000-00000000000a';
const times = [
  '1969-12-31T23:59:59.999Z',
  '1999-12-31T23:59:59.999Z',
  '2000-01-01T00:00:00Z',
  '2026-01-05T10:00:00.5Z',
];
const dates = [
  ...times.map((time) => new Date(time)),
  new Date('1700-02-03T04:05:06.789Z'),
  new Date('3999-12-31T23:59:59.999Z'),
  null,
];

test.each<[string, readonly unknown[], (cells: RowCells, value: never) => void]>([
  ['text', texts, (cells, value) => cells.text(value)],
  ['char(3)', ['EUR', null], (cells, value) => cells.text(value)],
  ['platform."Mode"', ['LIVE', 'TEST', null], (cells, value) => cells.text(value)],
  ['bytea', [Buffer.alloc(0), Buffer.from('00ff80', 'hex'), null], (cells, value) => cells.bytes(value)],
  ['boolean', [true, false, null], (cells, value) => cells.boolean(value)],
  ['uuid', [id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', null], (cells, value) => cells.uuid(value)],
  ['bigint', [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), null], (cells, value) => cells.bigint(value)],
  ['double precision', [0, -1.5, 1e300, 0.1, -5e-324, null], (cells, value) => cells.float(value)],
  ['timestamptz(3)', dates, (cells, value) => cells.timestamp(value)],
])('values of %s come back as they were', async (type, values, write) => {
  expect(await readBack(type, values, write as never)).toEqual(values);
});

test('bytes come back as they were', async () => {
  const read = await readBack('bytea', ['', '00ff80', null], (cells, hex) => cells.bytes(hex));
  expect(read).toEqual([Buffer.alloc(0), Buffer.from('00ff80', 'hex'), null]);
});

test('lists of numbers come back as they were', async () => {
  const lists = [[], [1n], [-(2n ** 63n), 0n, 2n ** 63n - 1n], null];
  const texts = lists.map((list) => list?.map(String) ?? null);
  const read = await readBack('bigint[]', lists, (cells, list) => cells.bigints(list));
  expect(
    JSON.parse(JSON.stringify(read, (_, value) => (typeof value === 'bigint' ? String(value) : value))),
  ).toEqual(texts);
});

test('documents come back as they were', async () => {
  const documents = [{}, { чай: ['✓', 1.5, null] }, [1], 'text'];
  const texts = documents.map((document) => JSON.stringify(document));
  expect(await readBack('jsonb', texts, (cells, text) => cells.json(text))).toEqual(documents);
});

test('no rows are none', async () => {
  expect(await readBack('text', [], () => {})).toEqual([]);
});

test('many rows go in pieces of bounded size, and a long cell in one of its own', async () => {
  const values = Array.from({ length: 5_000 }, (_, row) => `${'ü'.repeat(row % 100)} ${row}`);
  values[2_500] = '✓'.repeat(100_000);
  const sizes = [...binaryRows(1, values, (cells, value) => cells.text(value))].map(({ length }) => length);
  expect(sizes.filter((size) => size > 65_536)).toEqual([4 + 300_000]);
  expect(sizes.length).toBeLessThan(20);
  expect(await readBack('text', values, (cells, value) => cells.text(value))).toEqual(values);
});

test('a cell that cannot be made fails the statement, and the connection goes on', async () => {
  const broken = (value: string) => readBack('uuid', [id, value], (cells, uuid) => cells.uuid(uuid));
  for (const wrong of [
    'no id',
    'zz93abcd-ef01-7fff-8000-00000000000a',
    '0193abcd-ef01-7fff-8000-00000000000é',
    '0193abcdef017fff80000000000000000000',
    '0193abcde-f01-7fff-8000-00000000000a',
    `${id}0`,
  ])
    await expect(broken(wrong)).rejects.toThrow(`this is no UUID: ${wrong}`);
  const odd = readBack('bytea', ['0g'], (cells, hex) => cells.bytes(hex));
  await expect(odd).rejects.toThrow('these are not 1 bytes in hex');
  await expect(readBack('timestamptz', [new Date(Number.NaN)], (c, at) => c.timestamp(at))).rejects.toThrow(
    RangeError,
  );
  const nul = readBack('text', ['\0'], (cells, value) => cells.text(value));
  await expect(nul).rejects.toMatchObject({ code: '22021' });
  expect(await readBack('uuid', [id], (cells, value) => cells.uuid(value))).toEqual([id]);
});
