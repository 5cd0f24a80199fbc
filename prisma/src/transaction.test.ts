import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase } from '@loyalty/test/harness/database/database';
import { createDatabase, type Database, type Sql } from './client.ts';

const statements: string[] = [];
let made: { url: string; drop(): Promise<void> };
let database: Database;

beforeAll(async () => {
  made = await createTestDatabase();
  const onStatement = (text: string) => void statements.push(text);
  database = createDatabase({ url: made.url, poolSize: 2, onStatement });
  await database.sql.query('CREATE TABLE public.kept (who text PRIMARY KEY)');
});
beforeEach(async () => {
  await database.sql.query('DELETE FROM public.kept');
  statements.length = 0;
});
afterAll(async () => {
  await database?.close();
  await made?.drop();
});

const kept = async () =>
  (await database.sql.query<{ who: string }>('SELECT who FROM public.kept')).map(({ who }) => who);
const write = (sql: Sql, who: string) => sql.query('INSERT INTO public.kept VALUES ($1)', [who]);

test('a transaction without statements sends nothing and takes no connection', async () => {
  expect(await database.transaction(async () => database.pools().shared.inUse)).toBe(0);
  await expect(database.transaction(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(statements).toEqual([]);
});

test('it begins with its first statement and is kept with its last', async () => {
  await database.transaction(async ({ sql }) => {
    await Promise.all([write(sql, 'ada'), write(sql, 'bo')]);
    expect(await kept()).toEqual([]);
  });
  expect(await kept()).toEqual(['ada', 'bo']);
  const [text] = statements.slice(1);
  expect(statements.slice(0, 4)).toEqual(['BEGIN', text, text, 'SELECT who FROM public.kept']);
  expect(statements.at(4)).toBe('COMMIT');
});

test('the last statements travel with its commit, and their failure is its own', async () => {
  const last = () => (sql: Sql) => Promise.all([write(sql, 'bo'), write(sql, 'cy')]);
  await database.transaction(({ sql }) => write(sql, 'ada'), { last });
  expect(await kept()).toEqual(['ada', 'bo', 'cy']);
  const again = database.transaction(({ sql }) => write(sql, 'di'), { last });
  await expect(again).rejects.toMatchObject({ code: '23505' });
  expect(await kept()).toEqual(['ada', 'bo', 'cy']);
  expect(database.pools().shared.inUse).toBe(0);
});

test('whose signal aborts is not kept where last statements are left, since they cannot be sent', async () => {
  const controller = new AbortController();
  const work = database.transaction(({ sql }) => write(sql, 'ada'), {
    signal: controller.signal,
    last: () => {
      controller.abort();
      return (sql) => write(sql, 'bo');
    },
  });
  await expect(work).rejects.toMatchObject({ code: '57014' });
  expect(await kept()).toEqual([]);
  expect(statements).not.toContain('COMMIT');
});

test('it may have no other statements than the last ones, and none of those where its work fails', async () => {
  const last = () => (sql: Sql) => write(sql, 'ada');
  await database.transaction(async () => undefined, { last });
  expect(await kept()).toEqual(['ada']);
  expect(statements.filter((text) => !text.startsWith('SELECT'))).toEqual([
    'BEGIN',
    'INSERT INTO public.kept VALUES ($1)',
    'COMMIT',
  ]);
  await expect(
    database.transaction(() => Promise.reject(new Error('no')), { last: () => (sql) => write(sql, 'bo') }),
  ).rejects.toThrow('no');
  expect(await kept()).toEqual(['ada']);
});

test('nothing is kept where its work fails', async () => {
  const work = database.transaction(async ({ sql }) => {
    await write(sql, 'ada');
    throw new Error('changed my mind');
  });
  await expect(work).rejects.toThrow('changed my mind');
  expect(await kept()).toEqual([]);
});

test('work that goes on after a failed statement fails itself, and nothing is kept', async () => {
  const work = database.transaction(async ({ sql }) => {
    await write(sql, 'ada');
    await write(sql, 'ada').catch(() => undefined);
  });
  await expect(work).rejects.toThrow('was rolled back');
  expect(await kept()).toEqual([]);
  expect(database.pools().shared.inUse).toBe(0);
});

test('a statement after the end is refused, and does not reach the next owner of the connection', async () => {
  const late = Promise.withResolvers<Sql>();
  await database.transaction(async ({ sql }) => {
    await write(sql, 'ada');
    late.resolve(sql);
  });
  await expect(write(await late.promise, 'bo')).rejects.toThrow('has ended');
  expect(await kept()).toEqual(['ada']);
});

test('Prisma writes in the transaction around it, and cannot open one of its own', async () => {
  const scope = { workspaceId: randomUUID(), mode: 'LIVE' } as const;
  const brand = { id: randomUUID(), name: 'Ribeira', createdAt: new Date() };
  const rolledBack = database.transaction(async ({ prismaIn }) => {
    await prismaIn(scope).brand.createMany({ data: [brand] });
    expect(await prismaIn(scope).brand.count({ where: { id: brand.id } })).toBe(1);
    throw new Error('enough');
  });
  await expect(rolledBack).rejects.toThrow('enough');
  expect(await database.prismaIn(scope).brand.count({ where: {} })).toBe(0);
  const nested = { data: { name: 'x', owner: { create: {} } }, select: {} } as never;
  await expect(
    database.transaction(({ prismaIn }) => prismaIn(scope).brand.create(nested)),
  ).rejects.toThrow();
  expect(database.pools().shared.inUse).toBe(0);
});

test('a connection that dies within a transaction is closed, and the next one works', async () => {
  const work = database.transaction(async ({ sql }) => {
    await write(sql, 'ada');
    await sql.query('SELECT pg_terminate_backend(pg_backend_pid())');
  });
  await expect(work).rejects.toThrow();
  await database.transaction(({ sql }) => write(sql, 'bo'));
  expect(await kept()).toEqual(['bo']);
});

test('a statement is shown while its caller runs, so that who watches can say who sent it', async () => {
  const shown: unknown[] = [];
  const note = (text: unknown) => void shown.push(text);
  subscribe('loyalty:statement', note);
  await database.transaction(async ({ sql }) => {
    const writing = write(sql, 'ada');
    expect(shown).toEqual(['BEGIN', 'INSERT INTO public.kept VALUES ($1)']);
    await writing;
  });
  unsubscribe('loyalty:statement', note);
});
