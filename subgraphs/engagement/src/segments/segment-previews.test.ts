import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import { askOf } from '@loyalty/test/harness/ask';
import { askPeer } from '@loyalty/test/harness/peers';
import { useServices } from '@loyalty/test/harness/services';
import { describeCondition } from '../conditions/describe-condition.ts';
import { computeSegment } from '../profiles/computations.service.ts';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import { engagement } from '../subgraph.ts';
import { createSegment, updateSegment } from './edit-segment.service.ts';

const { services, ctx, newContext, fresh } = useServices();
const ask = askOf(engagement);

const rich = { field: 'points_balance', operator: 'at_least', value: 100 };
const PREVIEW = `query ($definition: JSONObject!) {
  previewSegment(definition: $definition) { count sample { id } asOf } }`;

test('a definition is counted before it is saved, with some of the members', async () => {
  const rows = Array.from({ length: 30 }, (_, place) => ({ pointsBalance: place * 10 }));
  const ids = await givenProfiles(ctx, rows);
  const { data } = await ask(ctx, PREVIEW, { definition: { op: 'not', conditions: [rich] } });
  const poor = ids.slice(0, 10);
  expect(data.previewSegment).toMatchObject({ count: 10, asOf: services.clock.now().toISOString() });
  expect(data.previewSegment.sample.map(({ id }: { id: string }) => id).toSorted()).toEqual(poor.toSorted());
  const all = await ask(ctx, PREVIEW, { definition: { op: 'and', conditions: [] } });
  expect([all.data.previewSegment.count, all.data.previewSegment.sample.length]).toEqual([30, 10]);
});

test('what is not to be saved cannot be counted either, and the place is named', async () => {
  const definition = { op: 'or', conditions: [rich, { field: 'shoe', operator: 'equals', value: 1 }] };
  const { reason, message } = await ask(ctx, PREVIEW, { definition });
  expect([reason, message]).toEqual([
    'VALIDATION_FAILED',
    expect.stringMatching(/^definition\.conditions\[1\]\.field /),
  ]);
});

test('before the first segment nothing is known of members, and a preview says so', async () => {
  const { data } = await ask(ctx, PREVIEW, { definition: rich });
  expect(data.previewSegment).toMatchObject({ count: 0, sample: [] });
});

const EXPLAIN = `query ($segmentId: ID!, $memberId: ID!) {
  explainSegmentMember(segmentId: $segmentId, memberId: $memberId) {
    member { id } isMet isMember enteredAt agrees asOf parts { path description isMet } } }`;

test('why a member is in a segment is said condition by condition, and whether it is stored so', async () => {
  const [memberId] = await givenProfiles(ctx, [{ pointsBalance: 150, tags: ['vip'] }]);
  const inner = await createSegment(ctx, { name: 'Rich', definition: rich });
  const { id: segmentId } = await createSegment(ctx, {
    name: 'Mixed',
    definition: {
      op: 'and',
      conditions: [
        { segment: inner.id },
        { op: 'not', conditions: [{ field: 'tags', operator: 'includes_any', value: ['staff', 'vip'] }] },
        { event: 'order.created', count: 2, within_days: 90 },
      ],
    },
  });
  const explain = async () =>
    (await ask(fresh(), EXPLAIN, { segmentId, memberId })).data.explainSegmentMember;
  const now = services.clock.now().toISOString();
  expect(await explain()).toEqual({
    ...{ member: { id: memberId }, isMet: false, isMember: false, enteredAt: null, agrees: true, asOf: now },
    parts: [
      { path: '', description: 'All of these hold', isMet: false },
      { path: 'conditions[0]', description: 'In the segment Rich', isMet: true },
      { path: 'conditions[1]', description: 'None of these holds', isMet: false },
      {
        path: 'conditions[1].conditions[0]',
        description: expect.stringContaining('staff, vip'),
        isMet: true,
      },
      { path: 'conditions[2]', description: 'Orders at least 2 times within 90 days', isMet: false },
    ],
  });
  await updateSegment(ctx, segmentId, { definition: rich });
  expect(await explain()).toMatchObject({ isMet: true, isMember: false, agrees: false });
  await computeSegment(ctx, segmentId);
  expect(await explain()).toMatchObject({ isMet: true, isMember: true, enteredAt: now, agrees: true });
});

test('an unknown member or segment, and one of another workspace, is not explained', async () => {
  const [memberId] = await givenProfiles(ctx, [{}]);
  const { id: segmentId } = await createSegment(ctx, { name: 'Rich', definition: rich });
  const stranger = await ask(ctx, EXPLAIN, { segmentId, memberId: newId(ctx.clock) });
  expect(stranger.reason).toBe('MEMBER_NOT_FOUND');
  for (const other of [newContext(), fresh({ mode: 'TEST' })])
    expect((await ask(other, EXPLAIN, { segmentId, memberId })).reason).toBe('SEGMENT_NOT_FOUND');
});

const labels = { fields: [], objects: [], segments: new Map() };
test.each([
  [{ field: 'points', operator: 'is_set' }, 'points is set'],
  [{ field: 'x', operator: 'in', value: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'x in a, b, c, d, e, 2 more'],
  [{ event: 'view' }, 'view at least once'],
  [{ event: 'view', operator: 'exactly', count: 0, within_days: 1 }, 'view exactly 0 times within one day'],
  [{ event: 'order.created', store_ids: ['a'] }, 'Orders in one store at least once'],
  [{ event: 'coupon.issued', pool_ids: ['a', 'b'] }, 'Coupons issued of 2 pools at least once'],
  [
    { record: 'pet', where: [{ field: 'kind', operator: 'equals', value: 'cat' }], count: 2 },
    'Records of pet where kind equals cat at least 2 times',
  ],
  [{ segment: 'x', operator: 'not_in' }, 'Not in the segment x'],
] as const)('%j is described as %j', (condition, description) => {
  expect(describeCondition(condition, labels)).toBe(description);
});

test('the catalog lists fields with operators, events, and what the workspace has defined', async () => {
  const query = `{ segmentFields {
    fields { key label type operators { key label valueType } options { value label } valuesOf }
    events { key label placesOf } records { key label fields { key } } } }`;
  const define = `mutation { defineCustomField(input: {key: "shoe_size", label: "Shoe size", type: NUMBER}) { key } }`;
  await askPeer(ctx, 'loyalty', define);
  const { data } = await ask(ctx, query);
  const { fields, events, records } = data.segmentFields;
  const field = (key: string) => fields.find((each: { key: string }) => each.key === key);
  expect(field('points_balance')).toMatchObject({ type: 'NUMBER', options: null, valuesOf: null });
  expect(field('points_balance').operators).toContainEqual({
    ...{ key: 'at_least', label: expect.any(String), valueType: 'NUMBER' },
  });
  expect(field('status').options).toContainEqual({ value: 'ACTIVE', label: 'ACTIVE' });
  expect(field('home_store').valuesOf).toBe('STORE');
  expect(field('customAttributes.shoe_size')).toMatchObject({ label: 'Shoe size', type: 'NUMBER' });
  expect(events).toContainEqual({
    key: 'coupon.redeemed',
    label: 'Coupons redeemed',
    placesOf: 'COUPON_POOL',
  });
  expect(records).toEqual([]);
});
