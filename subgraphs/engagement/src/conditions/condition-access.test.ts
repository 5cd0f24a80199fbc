import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '@loyalty/platform/base/caller';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { createAutomation } from '../automations/automations.service.ts';
import { aDefinition, givenSegment, inARow } from '../journeys/journeys.fixture.ts';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import { engagement } from '../subgraph.ts';
import type { Condition } from './condition.ts';
import { memberFields } from './member-fields.ts';

const { newContext } = useServices();
const ask = askOf(engagement);

let ctx: Context;
beforeEach(() => {
  ctx = newContext();
});

const key = (scopes: readonly string[], part: Partial<Caller> = {}): Context =>
  newContext({ ...ctx.caller, kind: 'KEY', role: null, scopes, ...part });

const orders: Condition = { field: 'order_count', operator: 'at_least', value: 1 };
const nameless: Condition = { op: 'and', conditions: [] };
const nested = (...conditions: readonly unknown[]) => ({ op: 'and', conditions: [nameless, ...conditions] });

const SAVE = `mutation ($name: String!, $definition: JSONObject!) {
  createSegment(input: {name: $name, definition: $definition}) { id } }`;
const CHANGE = `mutation ($id: ID!, $definition: JSONObject) {
  updateSegment(id: $id, input: {description: "new", definition: $definition}) { id } }`;
const PREVIEW = `query ($definition: JSONObject!) { previewSegment(definition: $definition) { count } }`;
const EXPLAIN = `query ($segmentId: ID!, $memberId: ID!) {
  explainSegmentMember(segmentId: $segmentId, memberId: $memberId) { isMet } }`;
const DRAFT = `mutation ($definition: JSONObject!) {
  createJourney(input: {name: "x", definition: $definition}) { id } }`;
const SIMULATE =
  'query ($definition: JSONObject, $id: ID) { simulateJourney(definition: $definition, id: $id) { population } }';
const AUTOMATE = `mutation ($condition: JSONObject) { createAutomation(input: {name: "x", condition: $condition,
  trigger: {kind: "member_created"}, actions: [{type: "delay", days: 1}]}) { id } }`;
const CAMPAIGN = `mutation ($journey: JSONObject) {
  createCampaign(input: {name: "x", channel: EMAIL, journey: $journey}) { id } }`;
const TEST_RUN =
  'query ($id: ID!, $memberId: ID!) { testAutomation(id: $id, memberId: $memberId) { meetsCondition } }';

const all = ['segments:read', 'segments:write', 'campaigns:read', 'campaigns:write'];
const withoutReading = [...all, 'automations:read', 'automations:write'];

describe('a condition that the caller may not read is refused', () => {
  const given = [
    ...memberFields.map(({ key: field }) => [field, { field, operator: 'is_set' }, 'field'] as const),
    [
      'a custom field',
      { field: 'customAttributes.iban', operator: 'starts_with', value: 'D' },
      'field',
    ] as const,
    ['an order', { event: 'order.created' }, 'event'] as const,
    ['a visit', { event: 'store.visited' }, 'event'] as const,
    ['a coupon', { event: 'coupon.redeemed' }, 'event'] as const,
    ['an event of a website', { event: 'view' }, 'event'] as const,
    ['a record', { record: 'pet' }, 'record'] as const,
  ];

  test.each(given)('%s, in a preview and when it is saved, at its place', async (_, condition, place) => {
    const definition = nested({ op: 'not', conditions: [condition] });
    for (const [query, path] of [
      [PREVIEW, 'definition'],
      [SAVE, 'input.definition'],
    ] as const) {
      const { code, reason, message } = await ask(key(withoutReading), query, { name: 'x', definition });
      expect([code, reason]).toEqual(['FORBIDDEN', 'SCOPE_MISSING']);
      expect(message).toMatch(
        `${path}.conditions[1].conditions[0].${place} is refused. This needs the scope `,
      );
    }
  });

  test('in every place that takes conditions, and is taken from a key that may read it', async () => {
    const reader = key([...withoutReading, 'orders:read']);
    const branch = { id: 'if', type: 'condition', condition: orders, otherwise: null };
    const journeys = [
      ['.condition', aDefinition({ condition: orders })],
      ['.nodes[0].condition', aDefinition({ nodes: inARow([branch]) })],
    ] as const;
    const places = [
      [PREVIEW, 'definition', { definition: orders }],
      [SAVE, 'input.definition', { name: 'x', definition: orders }],
      [CHANGE, 'input.definition', { id: await givenSegment(ctx), definition: orders }],
      [AUTOMATE, 'input.condition', { condition: orders }],
      ...journeys.flatMap(
        ([place, definition]) =>
          [
            [DRAFT, `input.definition${place}`, { definition }],
            [SIMULATE, `definition${place}`, { definition }],
            [CAMPAIGN, `input.journey${place}`, { journey: definition }],
          ] as const,
      ),
    ] as const;
    for (const [query, path, variables] of places) {
      const refused = await ask(key(withoutReading), query, variables);
      expect([query, refused.reason, refused.message]).toEqual([
        query,
        'SCOPE_MISSING',
        `${path}.field is refused. This needs the scope members:read, or orders:read.`,
      ]);
      expect((await ask(reader, query, variables)).message).toBeUndefined();
    }
  });
});

describe('what is saved already', () => {
  const waiting = [{ type: 'delay', days: 1 }];

  test('is renamed, launched and activated without the scopes of its conditions', async () => {
    const writer = key(withoutReading);
    const id = await givenSegment(ctx, orders);
    expect((await ask(writer, CHANGE, { id })).data.updateSegment.id).toBe(id);
    const { data } = await ask(ctx, DRAFT, { definition: aDefinition({ condition: orders }) });
    const launch = 'mutation ($id: ID!) { launchJourney(id: $id) { status } }';
    const launched = await ask(writer, launch, { id: data.createJourney.id });
    expect(launched.data.launchJourney.status).toBe('ACTIVE');
    const input = { name: 'x', trigger: { kind: 'member_created' }, condition: orders, actions: waiting };
    const automation = await createAutomation(ctx, input);
    const rename = 'mutation ($id: ID!) { updateAutomation(id: $id, input: {name: "y"}) { name } }';
    expect((await ask(writer, rename, automation as never)).data.updateAutomation.name).toBe('y');
    const activate = 'mutation ($id: ID!) { activateAutomation(id: $id) { status } }';
    expect((await ask(writer, activate, automation as never)).data.activateAutomation.status).toBe('ACTIVE');
  });

  test('is neither explained, nor simulated, nor tried on a member without them', async () => {
    const [memberId] = await givenProfiles(ctx, [{}]);
    const scored: Condition = { field: 'purchase_score', operator: 'at_least', value: 0.5 };
    const inner = await givenSegment(ctx, orders);
    const segmentId = await givenSegment(ctx, nested({ segment: inner }, scored) as Condition);
    const reader = key([...withoutReading, 'members:read']);
    const explained = await ask(reader, EXPLAIN, { segmentId, memberId });
    expect(explained.message).toMatch(/^definition\.conditions\[2\]\.field is refused\. .* predictions:read/);
    const input = { name: 'x', trigger: { kind: 'member_created' }, condition: scored, actions: waiting };
    const { id } = await createAutomation(ctx, input);
    expect((await ask(reader, TEST_RUN, { id, memberId })).reason).toBe('SCOPE_MISSING');
    const { data } = await ask(ctx, DRAFT, { definition: aDefinition({ condition: scored }) });
    const simulated = await ask(reader, SIMULATE, { id: data.createJourney.id });
    expect(simulated.reason).toBe('SCOPE_MISSING');
  });

  test('is named by others with the scopes of segments alone: who is in it is theirs to know', async () => {
    const segment = await givenSegment(ctx, orders);
    const { message } = await ask(key(['segments:read']), PREVIEW, { definition: { segment } });
    expect(message).toBeUndefined();
  });
});

test('a wait is not simulated with a history that the caller may not read', async () => {
  const event = { type: 'order.created' };
  const node = { id: 'wait', type: 'waitForEvent', event, timeout: { days: 1 }, otherwise: null };
  const definition = aDefinition({ nodes: inARow([node]) });
  const simulated = await ask(key(['campaigns:read']), SIMULATE, { definition });
  expect(simulated.message).toBe('definition.nodes[0].event is refused. This needs the scope members:read.');
  const reader = key(['campaigns:read', 'members:read']);
  expect((await ask(reader, SIMULATE, { definition })).message).toBeUndefined();
});

test('a sample names members: it asks for members:read, and a count of all does not', async () => {
  await givenProfiles(ctx, [{}]);
  const sample = PREVIEW.replace('count', 'count sample { id }');
  const refused = await ask(key(['segments:read']), sample, { definition: nameless });
  expect(refused.reason).toBe('SCOPE_MISSING');
  const counted = await ask(key(['segments:read']), PREVIEW, { definition: nameless });
  expect(counted.data.previewSegment.count).toBe(1);
  const shown = await ask(key(['segments:read', 'members:read']), sample, { definition: nameless });
  expect(shown.data.previewSegment.sample).toHaveLength(1);
});

test('records of a module that is switched off are refused, to staff as well', async () => {
  const modules = ['campaigns'];
  for (const caller of [newContext({ ...ctx.caller, modules }), key(['*'], { modules })])
    expect(await ask(caller, PREVIEW, { definition: { record: 'pet' } })).toMatchObject({
      reason: 'MODULE_DISABLED',
      message: 'definition.record is refused. The module custom_objects is not enabled in this workspace.',
    });
});

test('the catalog of fields leaves out what the caller may not name', async () => {
  const query = '{ segmentFields { fields { key } events { key } records { key } } }';
  const { data } = await ask(key(['segments:read', 'orders:read']), query);
  expect(data.segmentFields).toEqual({
    fields: ['order_count', 'order_revenue_minor', 'first_order_at', 'last_order_at'].map((field) => ({
      key: field,
    })),
    events: [{ key: 'order.created' }],
    records: [],
  });
  const everything = await ask(ctx, query);
  expect(everything.data.segmentFields.fields.length).toBeGreaterThanOrEqual(memberFields.length);
});

test('who is in no workspace of the segment learns nothing of its conditions', async () => {
  const segmentId = await givenSegment(ctx, orders);
  const stranger = newContext({ kind: 'KEY', scopes: ['segments:read', 'members:read'] });
  const { reason } = await ask(stranger, EXPLAIN, { segmentId, memberId: newId(ctx.clock) });
  expect(reason).toBe('SEGMENT_NOT_FOUND');
});
