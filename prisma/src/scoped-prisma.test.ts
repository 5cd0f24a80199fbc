import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase } from '@loyalty/test/harness/database/database';
import { createDatabase, type Database, type ScopedPrisma, type TenantScope } from './client.ts';
import { columns, containing, inSql } from './columns.ts';
import { failedWith } from './sqlstate.ts';

const scope: TenantScope = { workspaceId: randomUUID(), mode: 'LIVE' };
const others: TenantScope[] = [
  { workspaceId: randomUUID(), mode: 'LIVE' },
  { workspaceId: scope.workspaceId, mode: 'TEST' },
];
let made: { url: string; drop(): Promise<void> };
let database: Database;
let own: ScopedPrisma;

beforeAll(async () => {
  made = await createTestDatabase();
  database = createDatabase({ url: made.url, poolSize: 4 });
  own = database.prismaIn(scope);
});
afterAll(async () => {
  await database?.close();
  await made?.drop();
});
beforeEach(async () => {
  await database.sql.query('DELETE FROM commerce.brands');
  for (const other of others)
    await database.prismaIn(other).brand.createMany({ data: [brand('theirs'), brand('also theirs')] });
});

const brand = (name: string) => ({ id: randomUUID(), name, createdAt: new Date(0) });
const select = columns('id', 'workspaceId', 'mode', 'name');
const kept = () =>
  database.sql.query(
    'SELECT workspace_id, mode, name FROM commerce.brands ORDER BY workspace_id, mode, name',
  );

test('a row is written and read where the scope is', async () => {
  const given = brand('ours');
  expect(await own.brand.create({ data: given, select })).toEqual({ id: given.id, name: 'ours', ...scope });
  expect(await own.brand.findMany({ where: {}, select })).toEqual([{ id: given.id, name: 'ours', ...scope }]);
  expect(await own.brand.count({ where: {} })).toBe(1);
  expect(await own.brand.updateManyAndReturn({ where: {}, data: { name: 'new' }, select })).toHaveLength(1);
  expect(await own.brand.deleteMany({ where: {} })).toEqual({ count: 1 });
  expect(await kept()).toHaveLength(4);
});

test('a table without a mode is scoped by its workspace', async () => {
  const field = { id: randomUUID(), key: 'k', label: 'K', type: 'TEXT', createdAt: new Date(0) } as const;
  await database.prismaIn(others[1]!).customField.createMany({ data: [field] });
  expect(await own.customField.findMany({ where: {}, select: columns('key') })).toEqual([{ key: 'k' }]);
  const stranger = database.prismaIn(others[0]!);
  expect(await stranger.customField.findMany({ where: {}, select: columns('key') })).toEqual([]);
});

/** Arguments that the types refuse but a caller may try to pass. */
const smuggled = others.flatMap((other) => [other, { OR: [other] }, { AND: [other] }, { NOT: scope }]);

test.each(smuggled)('a foreign scope in `where` finds and changes nothing: %j', async (foreign) => {
  const where = foreign as never;
  await own.brand.createMany({ data: [brand('ours')] });
  const before = await kept();
  expect(await own.brand.findMany({ where, select })).toEqual([]);
  expect(await own.brand.findFirst({ where, select })).toBeNull();
  expect(await own.brand.count({ where })).toBe(0);
  expect(await own.brand.updateMany({ where, data: { name: 'taken' } })).toEqual({ count: 0 });
  expect(await own.brand.updateManyAndReturn({ where, data: { name: 'taken' }, select })).toEqual([]);
  expect(await own.brand.deleteMany({ where })).toEqual({ count: 0 });
  expect(await kept()).toEqual(before);
});

test.each(others)('a foreign scope in `data` is not written: %j', async (foreign) => {
  const given = { ...brand('ours'), ...foreign } as never;
  expect(await own.brand.create({ data: given, select })).toMatchObject(scope);
  const more = [{ ...brand('second'), ...foreign } as never];
  expect(await own.brand.createManyAndReturn({ data: more, select })).toMatchObject([scope]);
  await own.brand.createMany({ data: [{ ...brand('third'), ...foreign } as never] });
  const data = { ...foreign, name: 'moved' } as never;
  const moved = { where: { name: 'ours' }, data, select };
  expect(await own.brand.updateManyAndReturn(moved)).toMatchObject([{ ...scope, name: 'moved' }]);
  expect(await own.brand.count({ where: {} })).toBe(3);
  expect(await kept()).toHaveLength(7);
});

test('a scope that is given does not compile, nor a table without one', () => {
  const names = ['id', 'name'];
  const calls = [
    // @ts-expect-error: a missing column would not be noticed
    () => columns(...names),
    // @ts-expect-error: the scope is never given
    () => own.brand.findMany({ where: { workspaceId: scope.workspaceId }, select }),
    // @ts-expect-error: the scope is never given
    () => own.brand.count({ where: { mode: 'LIVE' } }),
    // @ts-expect-error: the scope is never given
    () => own.brand.createMany({ data: [{ ...brand('x'), workspaceId: scope.workspaceId }] }),
    // @ts-expect-error: the scope is never given
    () => own.brand.updateMany({ where: {}, data: { mode: 'TEST' } }),
    // @ts-expect-error: accounts belong to no workspace
    () => own.account.count({ where: {} }),
    // @ts-expect-error: without a scope there is no access
    () => database.prisma.brand.count({ where: {} }),
    // @ts-expect-error: one statement could answer several requests
    () => own.brand.findUnique({ where: { id: randomUUID() } }),
  ];
  expect(calls).toHaveLength(8);
});

test('a row that is read for an update is locked until the transaction ends', async () => {
  await own.brand.createMany({ data: [brand('ours')] });
  const where = { name: 'ours' };
  const impatient = createDatabase({ url: made.url, lockTimeoutMs: 50 });
  const other = impatient.prismaIn(scope);
  try {
    await database.transaction(async ({ prismaIn }) => {
      expect(await prismaIn(scope).brand.findFirstForUpdate({ where, select })).toMatchObject(where);
      expect(await other.brand.findFirst({ where, select })).toMatchObject(where);
      const failure = await other.brand
        .updateMany({ where, data: { name: 'new' } })
        .catch((error: unknown) => error);
      expect(failedWith(failure, 'LOCK_NOT_AVAILABLE')).toBe(true);
    });
    expect(await other.brand.updateMany({ where, data: { name: 'new' } })).toEqual({ count: 1 });
  } finally {
    await impatient.close();
  }
});

test('a row that breaks a constraint fails with the name that PostgreSQL has for it', async () => {
  await own.brand.createMany({ data: [brand('ours')] });
  const failure = await own.brand.createMany({ data: [brand('ours')] }).catch((error: unknown) => error);
  expect(failedWith(failure, 'UNIQUE_VIOLATION')).toBe(true);
  expect(failedWith(failure, 'FOREIGN_KEY_VIOLATION')).toBe(false);
  expect(
    await own.brand.createManyAndReturn({ data: [brand('ours')], skipDuplicates: true, select }),
  ).toEqual([]);
});

test('the columns of a select have their names in SQL', async () => {
  const { id, createdAt, name } = brand('ours');
  await own.brand.createMany({ data: [{ id, createdAt, name }] });
  for (const [from, alias] of [['commerce.brands'], ['commerce.brands AS b', 'b']] as const) {
    const text = `SELECT ${inSql(columns('id', 'createdAt'), alias)} FROM ${from} WHERE id = $1`;
    expect(await database.sql.query(text, [id])).toEqual([{ id, createdAt }]);
  }
});

test.each([
  ['50%', ['50% off']],
  ['o_f', ['o_f']],
  ['OURS', ['ours']],
])('a search for %s finds what contains it', async (text, names) => {
  await own.brand.createMany({ data: ['ours', '50% off', 'o_f'].map(brand) });
  const found = await own.brand.findMany({ where: { name: containing(text) }, select: columns('name') });
  expect(found.map(({ name }) => name)).toEqual(names);
});
