import { describe, expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { computeSegment } from '../profiles/computations.service.ts';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import { engagement } from '../subgraph.ts';
import { createSegment, updateSegment } from './edit-segment.service.ts';
import { checkSegments, findSegment, getSegment, listSegments, watchSegment } from './segments.service.ts';

const { services, ctx, newContext, fresh } = useServices();
const ask = askOf(engagement);

let made = 0;
const rich = { field: 'points_balance', operator: 'at_least', value: 100 };
const poor = { field: 'points_balance', operator: 'less_than', value: 100 };
const create = (of: Context, definition: unknown = rich, name?: string) => {
  made += 1;
  return createSegment(of, { name: name ?? `Segment ${made}`, definition });
};
const within = (segment: string) => ({ op: 'and', conditions: [{ segment }] });

const FIELDS =
  'id name description definition version memberCount computedAt asOf isComputing progress failure createdAt';

test('a segment is created, computed, read and listed', async () => {
  await givenProfiles(ctx, [{ pointsBalance: 150 }, { pointsBalance: 50 }, { pointsBalance: 100 }]);
  const input = { name: ' Rich ', description: 'Many points', definition: rich };
  const document = `mutation ($input: CreateSegmentInput!) { createSegment(input: $input) { ${FIELDS} } }`;
  const { data } = await ask(ctx, document, { input });
  const { id, ...created } = data.createSegment;
  const now = services.clock.now().toISOString();
  const usual = { name: 'Rich', description: 'Many points', definition: rich, version: 1, failure: null };
  expect(created).toEqual({
    ...usual,
    ...{ memberCount: 0, computedAt: null, asOf: now, isComputing: true, progress: 0, createdAt: now },
  });
  await computeSegment(ctx, id);
  const read = await ask(
    fresh(),
    `{ segment(id: "${id}") { ${FIELDS} } segments { nodes { id } totalCount } }`,
  );
  expect(read.data).toEqual({
    segment: {
      ...usual,
      ...{
        id,
        memberCount: 2,
        computedAt: now,
        asOf: now,
        isComputing: false,
        progress: null,
        createdAt: now,
      },
    },
    segments: { nodes: [{ id }], totalCount: 1 },
  });
});

test('a list is filtered by a part of the name, in any case, newest first', async () => {
  for (const name of ['Rich in Porto', 'poor', 'RICH', '50% off']) await create(ctx, rich, name);
  const names = async (search: string) => (await listSegments(ctx, { search })).rows.map(({ name }) => name);
  expect(await names('rich')).toEqual(['RICH', 'Rich in Porto']);
  expect(await names('%')).toEqual(['50% off']);
  expect(await (await listSegments(ctx, { search: 'rich', first: 1 })).total()).toBe(2);
});

describe('a change', () => {
  test('of the definition makes the next version and is computed anew; others do not', async () => {
    await givenProfiles(ctx, [{ pointsBalance: 150 }, { pointsBalance: 50 }, { pointsBalance: 60 }]);
    const { id } = await create(ctx);
    await computeSegment(ctx, id);
    const renamed = await updateSegment(ctx, id, { name: 'New', description: 'Text' });
    expect(renamed).toMatchObject({ name: 'New', description: 'Text', version: 1, computedToId: null });
    expect(await updateSegment(ctx, id, { description: '', definition: { ...rich } })).toMatchObject({
      ...{ description: null, version: 1, computedToId: null },
    });
    const after = await updateSegment(ctx, id, { definition: poor });
    expect(after).toMatchObject({ version: 2, computedVersion: 1, memberCount: 1 });
    expect(after.computedToId).not.toBeNull();
    await computeSegment(ctx, id);
    expect(await getSegment(ctx, id)).toMatchObject({ computedVersion: 2, memberCount: 2 });
  });

  test('on a version that is no longer current is refused and changes nothing', async () => {
    const { id } = await create(ctx);
    await updateSegment(ctx, id, { definition: poor, ifVersion: 1 });
    await expect(updateSegment(ctx, id, { definition: rich, ifVersion: 1 })).rejects.toMatchObject({
      ...{ code: 'SEGMENT_CHANGED', category: 'CONFLICT' },
    });
    expect((await getSegment(ctx, id)).definition).toEqual(poor);
  });

  test('of a nested segment is computed for those that contain it, at any depth, and read by them', async () => {
    const inner = await create(ctx);
    const middle = await create(ctx, within(inner.id));
    const outer = await create(ctx, { op: 'not', conditions: [{ segment: middle.id }] });
    for (const { id } of [inner, middle, outer]) await computeSegment(ctx, id);
    await updateSegment(ctx, inner.id, {
      definition: { field: 'tags', operator: 'includes_any', value: ['vip'] },
    });
    for (const { id } of [middle, outer]) {
      const [row] = await ctx.sql.query<{ aspects: string[] }>(
        'SELECT aspects FROM engagement.segments WHERE workspace_id = $1 AND id = $2',
        [ctx.scope.workspaceId, id],
      );
      expect(row?.aspects).toContain('TAGS');
      expect((await getSegment(ctx, id)).computedToId).not.toBeNull();
    }
  });
});

describe('circles of segments', () => {
  test('are refused at any depth, and nothing changes', async () => {
    const inner = await create(ctx);
    const middle = await create(ctx, within(inner.id));
    const outer = await create(ctx, within(middle.id));
    for (const segment of [inner, middle, outer]) {
      await expect(updateSegment(ctx, inner.id, { definition: within(segment.id) })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
        details: { field: 'input.definition.conditions[0].segment' },
      });
    }
    expect(await getSegment(ctx, inner.id)).toMatchObject({ definition: rich, version: 1, nestedIds: [] });
  });

  test('cannot be made by two who write at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await create(ctx), await create(ctx)];
      const results = await Promise.allSettled([
        updateSegment(fresh(), one.id, { definition: within(two.id) }),
        updateSegment(fresh(), two.id, { definition: within(one.id) }),
      ]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
  });
});

describe('bad input', () => {
  const nobody = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';
  const cases: [what: string, definition: unknown, field: string][] = [
    ['an unknown field', { field: 'shoe', operator: 'equals', value: 1 }, 'field'],
    ['an unknown operator', { ...rich, operator: 'resembles' }, 'operator'],
    ['a value of another type', { ...rich, value: 'many' }, 'value'],
    ['an unknown group', { op: 'xor', conditions: [] }, 'op'],
    ['a group without conditions', { op: 'or', conditions: [] }, 'conditions'],
    ['an unknown key', { ...rich, colour: 'red' }, 'colour'],
    ['an unknown custom field', { ...rich, field: 'customAttributes.none' }, 'field'],
    ['an unknown object type', { record: 'none' }, 'record'],
    ['an unknown segment', { segment: nobody }, 'segment'],
    ['a store of nobody', { event: 'order.created', store_ids: [nobody] }, 'store_ids[0]'],
    ['too many days', { event: 'view', within_days: 4_000 }, 'within_days'],
    ['a negative count', { event: 'view', count: -1 }, 'count'],
  ];

  test.each(cases)('%s is refused with its place, and nothing is kept', async (_, definition, field) => {
    const tree = { op: 'and', conditions: [rich, { op: 'not', conditions: [definition] }] };
    const refused = { code: 'VALIDATION_FAILED', category: 'BAD_USER_INPUT' };
    await expect(create(ctx, tree)).rejects.toMatchObject({
      ...refused,
      details: { field: `input.definition.conditions[1].conditions[0].${field}` },
    });
    const { id } = await create(ctx);
    await expect(updateSegment(ctx, id, { name: 'Other', definition: tree })).rejects.toMatchObject(refused);
    expect(await (await listSegments(ctx, {})).total()).toBe(1);
    expect(await getSegment(ctx, id)).toMatchObject({ definition: rich, version: 1 });
  });

  test.each([
    ['', 'must not be empty'],
    ['x'.repeat(101), 'must have at most 100 characters'],
  ])('a name like %j is refused', async (name, rule) => {
    await expect(create(ctx, rich, name)).rejects.toMatchObject({ message: `input.name ${rule}.` });
  });

  test('a name that is taken is a conflict, and the change is lost as a whole', async () => {
    await create(ctx, rich, 'Rich');
    const { id } = await create(ctx, rich, 'Other');
    await expect(create(ctx, rich, 'Rich')).rejects.toMatchObject({ code: 'SEGMENT_EXISTS' });
    await expect(updateSegment(ctx, id, { name: 'Rich', definition: poor })).rejects.toMatchObject({
      code: 'SEGMENT_EXISTS',
    });
    expect(await getSegment(ctx, id)).toMatchObject({ name: 'Other', version: 1 });
    expect((await updateSegment(ctx, id, { name: 'Other' })).name).toBe('Other');
  });

  test('ten who take one name at once leave one segment', async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => create(fresh(), rich, 'Same')));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

test('segments of another workspace or mode cannot be seen, used or changed', async () => {
  const { id } = await create(ctx);
  const others = [newContext(), fresh({ mode: 'TEST' })];
  for (const other of others) {
    const missing = { code: 'SEGMENT_NOT_FOUND', category: 'NOT_FOUND' };
    expect(await findSegment(other, id)).toBeNull();
    expect((await listSegments(other, {})).rows).toEqual([]);
    await expect(updateSegment(other, id, { name: 'Mine' })).rejects.toMatchObject(missing);
    await expect(watchSegment(other, id)).rejects.toMatchObject(missing);
    await expect(checkSegments(other, [id], 'input.segmentIds')).rejects.toMatchObject(missing);
    await expect(create(other, within(id))).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    const { reason } = await ask(other, `mutation { recomputeSegment(id: "${id}") { id } }`);
    expect(reason).toBe('SEGMENT_NOT_FOUND');
  }
});

test('a list of segments is checked as a whole, and names the place of a fault', async () => {
  const { id } = await create(ctx);
  await checkSegments(ctx, [id], 'input.segmentIds');
  const refused = (ids: string[]) => expect(checkSegments(ctx, ids, 'input.segmentIds')).rejects;
  await refused([id, 'x']).toMatchObject({ details: { field: 'input.segmentIds[1]' } });
  await refused([id, id]).toMatchObject({ details: { field: 'input.segmentIds[1]' } });
  await refused([id, newId(ctx.clock)]).toMatchObject({ code: 'SEGMENT_NOT_FOUND' });
});

test('whoever watches a segment sees it now, and what became of it', async () => {
  await givenProfiles(ctx, [{ pointsBalance: 150 }]);
  const { id } = await create(ctx);
  const watched = await watchSegment(ctx, id);
  expect((await watched.next()).value).toMatchObject({ memberCount: 0 });
  await computeSegment(ctx, id);
  expect((await watched.next()).value).toMatchObject({ memberCount: 1 });
  await updateSegment(fresh(), id, { name: 'Renamed' });
  expect((await watched.next()).value).toMatchObject({ name: 'Renamed' });
  await watched.return!();
});

test('every change is in the audit log, without members', async () => {
  const { id } = await create(ctx, rich, 'Rich');
  await updateSegment(ctx, id, { definition: poor });
  await ask(ctx, `mutation { recomputeSegment(id: "${id}") { id } deleteSegment(id: "${id}") { deleted } }`);
  const rows = await ctx.sql.query<{ action: string; before: unknown; after: unknown }>(
    `SELECT action, before, after FROM platform.audit_entries
      WHERE workspace_id = $1 AND resource_type = 'Segment' AND resource_id = $2 ORDER BY id`,
    [ctx.scope.workspaceId, id],
  );
  const [one, two] = [
    { name: 'Rich', version: 1, definition: rich },
    { name: 'Rich', version: 2, definition: poor },
  ];
  expect(rows).toEqual([
    { action: 'createSegment', before: null, after: one },
    { action: 'updateSegment', before: one, after: two },
    { action: 'recomputeSegment', before: null, after: null },
    { action: 'deleteSegment', before: two, after: null },
  ]);
});

test('fifty segments cost as many statements as one, with their sizes', async () => {
  for (let count = 0; count < 50; count += 1) await create(ctx);
  const statementsFor = async (first: number) => {
    services.statements.length = 0;
    const query = `{ segments(first: ${first}) { nodes { id asOf isComputing progress sizes { memberCount }
      members { totalCount nodes { member { id } } } } } }`;
    const { data, message } = await ask(fresh(), query);
    expect([data?.segments.nodes.length, message]).toEqual([first, undefined]);
    return services.statements.length;
  };
  expect(await statementsFor(50)).toBe(await statementsFor(1));
});
