import { beforeEach, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { useServices } from '@loyalty/test/harness/services';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import type { Condition } from './condition.ts';
import { conditionFields } from './condition-fields.service.ts';
import { checkCondition, explainCondition, membersMeeting, resolveCondition } from './conditions.service.ts';

const { services, newContext } = useServices();

let ctx: Context;
beforeEach(() => {
  ctx = newContext();
});

const none = '01990000-0000-7000-8000-000000000000';
const and = (...conditions: unknown[]) => ({ op: 'and', conditions });
const check = (definition: unknown, selfId?: string) =>
  checkCondition(ctx, definition, 'input.definition', selfId ? { selfId } : {});

test.each<[unknown, string, RegExp]>([
  [null, '', /must be an object/],
  [[], '', /must be an object/],
  [{}, '', /must have one of op, field, event, record and segment/],
  [{ op: 'xor', conditions: [] }, '.op', /must be and, or or not/],
  [{ op: 'or', conditions: [] }, '.conditions', /at least one/],
  [{ op: 'and', conditions: {} }, '.conditions', /must be a list/],
  [{ op: 'and', conditions: [], extra: 1 }, '.extra', /is not known here/],
  [and(and({ field: 'shoe' })), '.conditions[0].conditions[0].field', /segmentFields/],
  [{ field: 'tags', operator: 'greater_than', value: 1 }, '.operator', /must be one of includes_any/],
  [{ field: 'points_balance', operator: 'at_least', value: '5' }, '.value', /must be a number/],
  [{ field: 'points_balance', operator: 'between', value: [5, 1] }, '.value', /lower number/],
  [{ field: 'status', operator: 'equals', value: 'GONE' }, '.value', /must be one of PENDING/],
  [{ field: 'status', operator: 'in', value: ['ACTIVE', 'x'] }, '.value[1]', /must be one of/],
  [{ field: 'status', operator: 'in', value: [] }, '.value', /list of 1 to/],
  [{ field: 'status', operator: 'is_set', value: 1 }, '.value', /must be left out/],
  [{ field: 'created_at', operator: 'before', value: 'yesterday' }, '.value', /an instant such as/],
  [{ field: 'created_at', operator: 'within_last_days', value: 1.5 }, '.value', /whole number/],
  [{ field: 'birthday', operator: 'in_month', value: 13 }, '.value', /between 1 and 12/],
  [{ field: 'customAttributes.none', operator: 'is_set' }, '.field', /names no field/],
  [{ field: 'tier', operator: 'equals', value: none }, '.value', /existing one, and there is none/],
  [{ field: 'home_store', operator: 'equals', value: none }, '.value', /existing one/],
  [{ event: 'view', count: -1 }, '.count', /between 0 and/],
  [{ event: 'view', within_days: 401 }, '.within_days', /between 1 and 400/],
  [{ event: 'view', operator: 'more' }, '.operator', /at_least, at_most, exactly/],
  [{ event: 'view', store_ids: [none] }, '.store_ids', /is not known here/],
  [{ event: 'order.created', store_ids: [none] }, '.store_ids[0]', /must be the id of a store/],
  [{ event: 'coupon.issued', pool_ids: [none] }, '.pool_ids[0]', /must be the id of a coupon pool/],
  [{ event: ' ' }, '.event', /must/],
  [{ record: 'pet' }, '.record', /published custom object/],
  [{ segment: none }, '.segment', /must be the id of a segment/],
])('the definition %j is refused at %j', async (definition, path, sentence) => {
  const error = await check(definition).catch((refusal) => refusal);
  expect(error).toMatchObject({ code: 'VALIDATION_FAILED', details: { field: `input.definition${path}` } });
  expect(error.message).toMatch(sentence);
});

test('a tree that is too deep, too long or too large is refused', async () => {
  let deep: unknown = { field: 'tags', operator: 'is_set' };
  for (let depth = 0; depth < 9; depth += 1) deep = and(deep);
  await expect(check(deep)).rejects.toMatchObject({ message: expect.stringMatching(/nested deeper than 8/) });
  const long = and(...Array.from({ length: 101 }, () => ({ event: 'view' })));
  await expect(check(long)).rejects.toMatchObject({ message: expect.stringMatching(/more than 100/) });
  const large = { field: 'locale', operator: 'equals', value: 'x'.repeat(70_000) };
  await expect(check(large)).rejects.toMatchObject({ message: expect.stringMatching(/bytes/) });
});

/** Inserts a segment directly, as the service does. */
async function givenSegment(definition: Condition, nestedIds: readonly string[] = []): Promise<string> {
  const id = newId(ctx.clock);
  await ctx.sql.query(
    `INSERT INTO engagement.segments (workspace_id, mode, id, name, definition, aspects, nested_ids, actor,
            created_at, updated_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, '{}', $6, 'test', now(), now())`,
    [ctx.scope.workspaceId, ctx.scope.mode, id, id, JSON.stringify(definition), nestedIds],
  );
  return id;
}

test('a nested segment is read in the place where it is named, also one that does not hold', async () => {
  const rich = await givenSegment({ field: 'points_balance', operator: 'at_least', value: 100 });
  const notRich = await givenSegment({ segment: rich, operator: 'not_in' }, [rich]);
  const [poor, wealthy] = await givenProfiles(ctx, [{ pointsBalance: 1 }, { pointsBalance: 100 }]);
  const checked = await check(and({ segment: notRich }, { field: 'has_email', operator: 'is_true' }));
  expect(checked).toMatchObject({ nestedIds: [notRich], aspects: ['POINTS', 'MEMBER'] });
  const resolved = await resolveCondition(ctx, checked.condition);
  expect(await membersMeeting(ctx, resolved, [poor!, wealthy!])).toEqual(new Set([poor]));
});

test('a segment cannot contain itself, however deep', async () => {
  const inner = await givenSegment({ field: 'tags', operator: 'is_set' });
  const outer = await givenSegment({ segment: inner }, [inner]);
  await expect(check(and({ segment: outer }), inner)).rejects.toMatchObject({
    details: { field: 'input.definition.conditions[0].segment' },
  });
  await expect(check({ segment: inner }, inner)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  await expect(check({ segment: inner }, outer)).resolves.toMatchObject({ nestedIds: [inner] });
});

test('a segment of another workspace or mode is none', async () => {
  const id = await givenSegment({ field: 'tags', operator: 'is_set' });
  for (const caller of [{}, { ...ctx.caller, mode: 'TEST' as const }])
    await expect(checkCondition(newContext(caller), { segment: id }, 'x')).rejects.toMatchObject({
      details: { field: 'x.segment' },
    });
});

test('an explanation has the result of every part', async () => {
  const nested = await givenSegment({ field: 'tags', operator: 'includes_any', value: ['vip'] });
  const [id] = await givenProfiles(ctx, [{ pointsBalance: 7, tags: ['vip'] }]);
  const condition = and(
    { field: 'points_balance', operator: 'at_least', value: 10 },
    { op: 'or', conditions: [{ segment: nested }, { event: 'view' }] },
  ) as Condition;
  const parts = await explainCondition(ctx, condition, id!);
  expect(parts!.map(({ path, isMet }) => [path, isMet])).toEqual([
    ['', false],
    ['conditions[0]', false],
    ['conditions[1]', true],
    ['conditions[1].conditions[0]', true],
    ['conditions[1].conditions[1]', false],
  ]);
  expect(await explainCondition(ctx, condition, newId(services.clock))).toBeNull();
});

test('every field of the catalog can be checked with every operator that it lists', async () => {
  const { fields } = await conditionFields(ctx);
  const sample = {
    NONE: undefined,
    TEXT: 'x',
    TEXTS: ['x'],
    NUMBER: 1,
    NUMBER_RANGE: [1, 2],
    DAYS: 3,
    MONTH: 2,
  };
  const values: Record<string, unknown> = { ...sample, MOMENT: '2026-03-01' };
  expect(fields).not.toHaveLength(0);
  for (const { key, operators, options, valuesOf } of fields) {
    expect([key, operators]).not.toEqual([key, []]);
    for (const { key: operator, valueType } of operators) {
      const first = options?.[0]?.value;
      const named = first && ({ TEXT: first, TEXTS: [first] } as Record<string, unknown>)[valueType];
      const value = named ?? values[valueType];
      const needsOne = (valuesOf || (options && !first)) && valueType.startsWith('TEXT');
      const checked = check({ field: key, operator, ...(value !== undefined && { value }) });
      if (needsOne) await expect(checked).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      else await expect(checked).resolves.toMatchObject({ nestedIds: [] });
    }
  }
});
