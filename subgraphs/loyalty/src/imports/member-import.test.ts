import { expect, test } from '@jest/globals';
import { EMAIL_INDEX } from '@loyalty/platform/base/email';
import type { Context } from '@loyalty/platform/context';
import { csvLayout } from '@loyalty/platform/imports/import-layout';
import type { Import } from '@loyalty/platform/imports/imports.store';
import { useServices } from '@loyalty/test/harness/services';
import { memberCounts } from '../members/member-sql.ts';
import { memberFields, readMember } from './member-import.input.ts';
import { openMemberImport } from './member-import.service.ts';
import { canEnrolByCopy } from './new-members.service.ts';

const { services, newContext } = useServices();

type Person = readonly [email: string, externalId: string, name: string];

const people = (count: number, prefix = 'p'): Person[] =>
  Array.from({ length: count }, (_, at) => [`${prefix}${at}@example.com`, `${prefix}-${at}`, `Name ${at}`]);

/** Opens an import whose batches are written one by one; each returns the results of its rows. */
async function openedImport(ctx: Context, onDuplicate: Import['onDuplicate'] = 'UPDATE') {
  const target = await openMemberImport(ctx, { onDuplicate } as Import);
  const header = { row: 1, cells: ['email', 'external_id', 'name'], fault: null };
  const layout = csvLayout({ set: memberFields, mapping: {}, timeZone: 'UTC' }, header);
  return async (batch: readonly Person[]) => {
    const rows = batch.map((cells, at) => {
      const read = layout.cellsOf({ row: at + 2, cells: [...cells], fault: null });
      return { cells: read, row: readMember(read, '2026-03-02') };
    });
    const counts = await ctx.transaction((tx) => target.write(tx, rows));
    return { ...counts, refused: rows.flatMap(({ cells }) => cells.issues?.map(({ row }) => row) ?? []) };
  };
}

const NOTHING = { inserted: 0, updated: 0, skipped: 0, refused: [] };
const isLookUpOfAll = (text: string): boolean => text.includes('FOR UPDATE OF m');

/** Counts the statements of the batch that search all people. */
async function lookUpsOf(write: () => Promise<unknown>): Promise<number> {
  services.statements.length = 0;
  await write();
  return services.statements.filter(isLookUpOfAll).length;
}

test('new people are enrolled without a look-up of each of them', async () => {
  const ctx = newContext();
  const write = await openedImport(ctx);
  expect(await lookUpsOf(async () => expect((await write(people(200))).inserted).toBe(200))).toBe(0);
  expect(await memberCounts.total(ctx)).toBe(200);
});

test('the tables whose statistics follow the import are those that it fills', async () => {
  const ctx = newContext();
  const { tables } = await openMemberImport(ctx, { onDuplicate: 'UPDATE' } as Import);
  const write = await openedImport(ctx);
  services.statements.length = 0;
  await write(people(200));
  const filled = services.statements.flatMap((text) => /^COPY (\S+)/.exec(text)?.[1] ?? []);
  expect(filled.toSorted()).toEqual(tables.toSorted());
});

test('a member whom the sample does not meet is found and changed; further batches look first', async () => {
  const ctx = newContext();
  await (await openedImport(ctx))([['p1@example.com', 'p-1', 'Before']]);
  const write = await openedImport(ctx);
  const first = async () =>
    expect(await write(people(200))).toEqual({ ...NOTHING, inserted: 199, updated: 1 });
  expect(await lookUpsOf(first)).toBe(1);
  expect(await lookUpsOf(() => write(people(200, 'q')))).toBe(1);
  expect(await memberCounts.total(ctx)).toBe(400);
});

test('SKIP leaves known members out', async () => {
  const ctx = newContext();
  const known = people(150);
  await (await openedImport(ctx))(known);
  const write = await openedImport(ctx, 'SKIP');
  expect(await write([...known, ...people(50, 'q')])).toEqual({ ...NOTHING, inserted: 50, skipped: 150 });
});

test('an external id of another member, of an earlier row or of a member as its id is refused', async () => {
  const ctx = newContext();
  await (await openedImport(ctx))([['other@example.com', 'p-1', 'Other']]);
  const [{ id }] = (await ctx.sql.query<{ id: string }>(
    'SELECT id FROM loyalty.members WHERE workspace_id = $1 AND mode = $2::platform."Mode"',
    [ctx.scope.workspaceId, ctx.scope.mode],
  )) as [{ id: string }];
  const taken = await openedImport(ctx);
  expect(await taken(people(200))).toEqual({ ...NOTHING, inserted: 199, refused: [3] });
  const repeated = await openedImport(ctx);
  const twice: Person[] = [...people(150, 'q'), ['late@example.com', 'q-7', 'Late']];
  expect(await repeated(twice)).toEqual({ ...NOTHING, inserted: 150, refused: [152] });
  const named = await openedImport(ctx);
  const byId: Person[] = [...people(150, 'r'), ['id@example.com', id, 'Id']];
  expect(await named(byId)).toEqual({ ...NOTHING, inserted: 150, refused: [152] });
});

test('whoever may be stored under an index of older keys is looked up', async () => {
  const ctx = newContext();
  const write = await openedImport(ctx);
  await write([['p1@example.com', '', 'Before']]);
  const { keyring } = services;
  await keyring.rotateKey(ctx.scope.workspaceId, 'INDEX');
  const { indexes } = await keyring.of(ctx.scope.workspaceId);
  expect(indexes('p1@example.com', EMAIL_INDEX)).toHaveLength(2);
  expect(await lookUpsOf(() => write(people(200)))).toBe(1);
  expect(await memberCounts.total(ctx)).toBe(200);
});

test('few people are looked up', () => expect(canEnrolByCopy([])).toBe(false));
