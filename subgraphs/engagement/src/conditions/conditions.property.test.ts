import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import fc from 'fast-check';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import type { OccurrenceRow, ProfileRow } from '../profiles/profiles.store.ts';
import { compileCondition } from './compile-condition.ts';
import type { Condition } from './condition.ts';
import { membersMeeting, previewCondition } from './conditions.service.ts';
import { memberFields } from './member-fields.ts';
import { type MemberInstants, memberInstants } from './occurrence-conditions.ts';
import { operatorsOf, sqlValues } from './operators.ts';
import { meets, type PlainMember } from './plain-conditions.fixture.ts';
import { conditionTree, occurrence, PRESENT, profile } from './random-conditions.fixture.ts';

const MEMBERS = 150;
const TREES = 400;
const HOUR_MS = 3_600_000;

const { services, newContext } = useServices();

/** Inserts random members and returns them in the form for the plain evaluation. */
async function givenMembers(ctx: Context, seed: number): Promise<PlainMember[]> {
  const profiles = fc.sample(profile, { numRuns: MEMBERS, seed });
  const happened = fc.sample(fc.array(occurrence, { maxLength: 8 }), { numRuns: MEMBERS, seed });
  const members = profiles.map((row, place): PlainMember => {
    const memberId = newId(ctx.clock);
    const occurrences = happened[place]!.map(
      (each): OccurrenceRow => ({ ...each, memberId, refId: newId(ctx.clock) }),
    );
    return { profile: { ...row, memberId } as ProfileRow, occurrences };
  });
  await givenProfiles(
    ctx,
    members.map((each) => each.profile),
    members.flatMap((each) => each.occurrences),
  );
  return members;
}

const operatorsIn = (condition: Condition): string[] => {
  if ('op' in condition) return [condition.op, ...condition.conditions.flatMap(operatorsIn)];
  if (!('field' in condition)) return [];
  const type = memberFields.find(({ key }) => key === condition.field)?.type;
  return type ? [`${type} ${condition.operator}`] : [];
};

test('the statement of a condition finds the members that a plain evaluation finds', async () => {
  const ctx = newContext();
  const members = await givenMembers(ctx, 20_260_302);
  const ids = members.map((each) => each.profile.memberId);
  const seen = new Set<string>();
  let mixed = 0;
  await fc.assert(
    fc.asyncProperty(conditionTree(4), async (tree) => {
      for (const operator of operatorsIn(tree)) seen.add(operator);
      const expected = members
        .filter((each) => meets(tree, each, PRESENT))
        .map((each) => each.profile.memberId);
      const { count } = await previewCondition(ctx, tree, 10);
      expect(count).toBe(expected.length);
      expect([...(await membersMeeting(ctx, tree, ids))].sort()).toEqual(expected.sort());
      if (count > 0 && count < MEMBERS) mixed += 1;
    }),
    { numRuns: TREES, seed: 7 },
  );
  expect(mixed).toBeGreaterThan(TREES / 4);
  const every = Object.entries(operatorsOf).flatMap(([type, operators]) =>
    Object.keys(operators).map((operator) => `${type} ${operator}`),
  );
  expect(every.filter((each) => !seen.has(each))).toEqual([]);
});

test('between now and the instant at which it must be looked at again, nobody enters or leaves', async () => {
  const ctx = newContext();
  const members = await givenMembers(ctx, 31);
  await fc.assert(
    fc.asyncProperty(conditionTree(2), async (tree) => {
      const evaluated = (instants?: MemberInstants) => {
        const sql = sqlValues([ctx.scope.workspaceId, ctx.scope.mode, new Date(PRESENT)]);
        const { where, recheckAt } = compileCondition(tree, sql, { now: '$3::timestamptz', instants });
        return ctx.sql.query<{ id: string; isMet: boolean; recheckAt: Date | null }>(
          `SELECT p.member_id AS id, $3::timestamptz, (${where}) AS is_met, ${recheckAt} AS recheck_at
             FROM engagement.profiles AS p ${instants?.joins() ?? ''}
            WHERE p.workspace_id = $1 AND p.mode = $2::platform."Mode" ORDER BY id`,
          sql.values,
        );
      };
      const rows = await evaluated();
      expect(await evaluated(memberInstants())).toEqual(rows);
      const found = new Map(rows.map((row) => [row.id, row]));
      const wrong: object[] = [];
      for (const member of members.slice(0, 40)) {
        const row = found.get(member.profile.memberId)!;
        const until = row.recheckAt?.getTime() ?? Number.POSITIVE_INFINITY;
        for (let at = PRESENT; at < PRESENT + 40 * 24 * HOUR_MS && at < until; at += 11 * HOUR_MS)
          if (meets(tree, member, at) !== row.isMet) wrong.push({ tree, at, member });
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 60, seed: 3 },
  );
});

test('the clock of the tests is the present of the values', () => {
  expect(services.clock.now().getTime()).toBe(PRESENT);
});
