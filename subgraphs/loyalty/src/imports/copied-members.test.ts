import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { memberCounts } from '../members/member-sql.ts';
import { openFor, openMemberKey } from '../members/sealing.ts';
import type { NewMember } from './imported-member.ts';
import { insertMembers } from './member-import.store.ts';

const { newContext } = useServices();
const FEW = 99;
const MANY = 100;

/** Returns members; every second one has all details. */
const members = (ctx: Context, count: number): NewMember[] =>
  Array.from({ length: count }, (_, at) => ({
    id: newId(ctx.clock),
    email: `bo-${at}@example.com`,
    emailIndex: `index ${at}`,
    isUnsubscribed: at % 3 === 0,
    customAttributes: at % 4 === 0 ? { shirt: 'М ✓', size: [1.5, null] } : {},
    details:
      at % 2 === 0
        ? {
            fullName: `Bo ✓ ${at}`,
            phone: null,
            birthOn: '1990-02-03',
            externalId: `till-${at}`,
            programId: 'П-1',
            homeStoreId: newId(ctx.clock),
            locale: 'pt-PT',
            timeZone: 'Europe/Lisbon',
          }
        : {},
  }));

const enrol = (ctx: Context, rows: readonly NewMember[]) => ctx.transaction((tx) => insertMembers(tx, rows));

/** Creates a tier for points from 0 on. */
async function givenTier(ctx: Context): Promise<string> {
  const id = newId(ctx.clock);
  await ctx.sql.query(
    `INSERT INTO loyalty.tiers (workspace_id, id, name, rank, upgrade_threshold, multiplier, created_at)
     VALUES ($1, $2, 'Shore', 1, 0, 1, now())`,
    [ctx.scope.workspaceId, id],
  );
  return id;
}

/** Returns the stored data of a member, decrypted, without fields that differ between two workspaces. */
async function kept(ctx: Context, emailIndex: string) {
  const [row] = await ctx.sql.query<Record<string, unknown> & Sealed>(
    'SELECT * FROM loyalty.members WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND email_index = $3',
    [ctx.scope.workspaceId, ctx.scope.mode, emailIndex],
  );
  const { id, workspaceId, homeStoreId, currentTierId, keySealed, ...others } = row!;
  const key = (await openMemberKey(ctx, { id, keySealed }))!;
  const opened = contexts.map(([column, context]) => {
    const sealed = others[column] as Uint8Array | null;
    return [column, sealed && openFor(key, sealed, context)];
  });
  return {
    ...others,
    ...Object.fromEntries(opened),
    hasStore: homeStoreId !== null,
    hasTier: currentTierId !== null,
  };
}

interface Sealed {
  readonly id: string;
  readonly keySealed: Uint8Array;
}

const contexts = [
  ['emailSealed', 'member.email'],
  ['nameSealed', 'member.name'],
  ['phoneSealed', 'member.phone'],
  ['birthSealed', 'member.birth'],
] as const;

test.each([true, false])('many members are kept as few are; a workspace has tiers: %s', async (hasTiers) => {
  const [few, many] = [newContext(), newContext()];
  for (const ctx of hasTiers ? [few, many] : []) await givenTier(ctx);
  expect((await enrol(few, members(few, FEW))).size).toBe(FEW);
  expect((await enrol(many, members(many, MANY))).size).toBe(MANY);
  for (let at = 0; at < 12; at += 1) {
    const row = await kept(few, `index ${at}`);
    expect(await kept(many, `index ${at}`)).toEqual(row);
    expect(row).toMatchObject({
      emailSealed: `bo-${at}@example.com`,
      nameSealed: at % 2 === 0 ? `Bo ✓ ${at}` : null,
      phoneSealed: null,
      birthSealed: at % 2 === 0 ? '1990-02-03' : null,
      hasStore: at % 2 === 0,
      hasTier: hasTiers,
    });
  }
  expect([await memberCounts.total(few), await memberCounts.total(many)]).toEqual([FEW, MANY]);
});

test('whom somebody enrolled meanwhile stays as they are; the others are enrolled', async () => {
  const ctx = newContext();
  const before = members(ctx, 2);
  await enrol(ctx, before);
  const enrolled = await enrol(ctx, members(ctx, MANY));
  expect([enrolled.size, enrolled.has('index 0'), enrolled.has('index 2')]).toEqual([MANY - 2, false, true]);
  expect(await kept(ctx, 'index 0')).toMatchObject({ enrollmentSource: 'IMPORT' });
  expect(await memberCounts.total(ctx)).toBe(MANY);
});

test('two imports of the same people enrol each of them once', async () => {
  const ctx = newContext();
  const [one, other] = await Promise.all([
    enrol(ctx, members(ctx, 2 * MANY)),
    enrol(ctx, members(ctx, 2 * MANY).toReversed()),
  ]);
  expect(one.size + other.size).toBe(2 * MANY);
  expect(await memberCounts.total(ctx)).toBe(2 * MANY);
});
