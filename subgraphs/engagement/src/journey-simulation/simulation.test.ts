import { expect, test } from '@jest/globals';
import { addMs, DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { createJourney } from '../journeys/edit-journey.service.ts';
import { branchOf, type SplitNode } from '../journeys/journey-definition.ts';
import { aDefinition, givenSegment, inARow } from '../journeys/journeys.fixture.ts';
import { askLoyalty, enrolMembers } from '../members.fixture.ts';
import { givenTemplate } from '../messages/messages.fixture.ts';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import { engagement } from '../subgraph.ts';
import { simulateJourney } from './simulation.service.ts';

const { ctx, fresh, newContext, services } = useServices({ at: '2026-03-02T10:00:00.000Z' });
const ask = askOf(engagement);

const rich = { field: 'points_balance', operator: 'at_least', value: 100 };
const everybody = { op: 'and', conditions: [] } as const;
const nodesOf = ({ nodes }: Awaited<ReturnType<typeof simulateJourney>>) =>
  Object.fromEntries(nodes.map((node) => [node.nodeId, node]));

async function givenVisit(memberId: string, at: Date, source = 'QR', of: Context = ctx): Promise<void> {
  const id = newId({ now: () => at });
  await of.sql.query(
    `INSERT INTO engagement.activity_entries (workspace_id, mode, id, type, member_id, payload, occurred_at)
     VALUES ($1, $2::platform."Mode", $3, 'store.visited', $4, $5, $6)`,
    [of.scope.workspaceId, of.scope.mode, id, memberId, JSON.stringify({ memberId, source }), at],
  );
}

const definition = aDefinition({
  goal: { condition: { field: 'points_balance', operator: 'at_least', value: 500 } },
  start: 'rich',
  nodes: [
    { id: 'rich', type: 'condition', condition: rich, next: 'visit', otherwise: 'morning' },
    {
      ...{ id: 'visit', type: 'waitForEvent', event: { type: 'store.visited', where: { source: ['QR'] } } },
      ...{ timeout: { days: 2 }, next: 'day', otherwise: null },
    },
    { id: 'day', type: 'delay', days: 1, next: null },
    { id: 'morning', type: 'delayUntil', time: '09:00', weekdays: [3], next: 'out' },
    { id: 'out', type: 'exit' },
  ],
});

test('conditions, waits, delays and the goal lead each member where they would now', async () => {
  const points = [200, 200, 50, 500];
  const ids = await givenProfiles(
    ctx,
    points.map((pointsBalance) => ({ pointsBalance })),
  );
  const now = ctx.clock.now();
  await givenVisit(ids[0]!, addMs(now, -2 * DAY_MS + 6 * HOUR_MS));
  await givenVisit(ids[0]!, addMs(now, -HOUR_MS));
  // A visit of another source, and one before the period.
  await givenVisit(ids[1]!, addMs(now, -DAY_MS), 'API');
  await givenVisit(ids[1]!, addMs(now, -3 * DAY_MS));
  const simulated = await simulateJourney(fresh(), { definition });
  expect(simulated).toMatchObject({ population: 4, members: 4, messages: 0, expectedMessages: null });
  const nodes = nodesOf(simulated);
  expect(nodes['rich']).toMatchObject({
    entered: 3,
    branches: [
      { key: 'yes', count: 2 },
      { key: 'no', count: 1 },
    ],
  });
  expect(nodes['visit']).toMatchObject({
    ...{ entered: 2, isTimeoutAssumed: false },
    branches: [
      { key: 'event', count: 1 },
      { key: 'timeout', count: 1 },
    ],
  });
  expect(nodes['day']).toMatchObject({ entered: 1 });
  expect(nodes['morning']).toMatchObject({ entered: 1 });
  expect(simulated.ends.toSorted((one, other) => one.nodeId.localeCompare(other.nodeId))).toEqual([
    { nodeId: 'day', kind: 'COMPLETED', members: 1, share: 0.25 },
    { nodeId: 'out', kind: 'COMPLETED', members: 1, share: 0.25 },
    { nodeId: 'rich', kind: 'GOAL_REACHED', members: 1, share: 0.25 },
    { nodeId: 'visit', kind: 'COMPLETED', members: 1, share: 0.25 },
  ]);
  // 0; 6 hours and a day; Monday 10:00 to Wednesday 09:00; two days.
  expect(simulated.duration).toEqual({
    p50Seconds: 30 * 3_600,
    p90Seconds: 48 * 3_600,
    p99Seconds: 48 * 3_600,
  });
});

test('splits are those of the journey, and a sample is as large as is asked', async () => {
  const ids = await givenProfiles(
    ctx,
    Array.from({ length: 60 }, () => ({})),
  );
  const split: SplitNode = {
    id: 'split',
    type: 'split',
    branches: [
      { key: 'a', weight: 1, next: null },
      { key: 'b', weight: 3, next: null },
    ],
  };
  const { id } = await createJourney(fresh(), { name: 'Split', definition: aDefinition({ nodes: [split] }) });
  const all = await simulateJourney(fresh(), { id, sampleSize: 60 });
  const count = (key: string) => ids.filter((memberId) => branchOf(id, split, memberId).key === key).length;
  expect(count('a')).toBeGreaterThan(3);
  expect(nodesOf(all)['split']!.branches).toEqual([
    { key: 'b', count: count('b') },
    { key: 'a', count: count('a') },
  ]);
  expect(await simulateJourney(fresh(), { id, sampleSize: 7 })).toMatchObject({ population: 60, members: 7 });
});

test('messages are counted for the population of a segment, with the reasons that the guards give now', async () => {
  const emails = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'];
  const ids = await enrolMembers(fresh(), emails);
  await givenProfiles(
    ctx,
    ids.map((memberId) => ({ memberId })),
  );
  const optOut =
    'mutation ($id: ID!) { setMemberConsent(memberId: $id, purpose: EMAIL_MARKETING, granted: false) { id } }';
  await askLoyalty(fresh(), optOut, { id: ids[0] });
  const segmentId = await givenSegment(ctx, everybody);
  const templateId = await givenTemplate(ctx, { category: 'MARKETING' });
  const nodes = inARow([
    { id: 'mail', type: 'email', templateId },
    { id: 'push', type: 'webPush', title: 'Hello' },
    { id: 'wait', type: 'delay', hours: 1, next: 'mail' },
  ]);
  const before = services.statements.length;
  const simulated = await simulateJourney(fresh(), {
    definition: aDefinition({ entry: { segmentId }, nodes }),
  });
  const found = nodesOf(simulated);
  expect(found['mail']).toMatchObject({
    ...{ entered: 40, messages: 3 },
    skips: [
      { reason: 'ALREADY_SENT', count: 36 },
      { reason: 'NO_CONSENT', count: 1 },
    ],
  });
  expect(found['push']).toMatchObject({
    messages: 0,
    skips: [{ reason: 'ALREADY_SENT' }, { reason: 'MODULE_DISABLED', count: 4 }],
  });
  expect(simulated).toMatchObject({
    ...{ messages: 3, expectedMessages: 3 },
    ends: [{ kind: 'LOOP', nodeId: 'mail', members: 4, share: 1 }],
  });
  const written = services.statements
    .slice(before)
    .filter((text) => /^\s*(INSERT|UPDATE|DELETE|WITH[^;]*(INSERT|UPDATE|DELETE) )/i.test(text));
  // The only write is the start of the maintenance of profiles.
  expect(written.filter((text) => !text.includes('profile_syncs'))).toEqual([]);
});

test('wrong requests are refused, and journeys of others are not found', async () => {
  await givenProfiles(ctx, []);
  const definition = aDefinition();
  const { id } = await createJourney(fresh(), { name: 'J', definition });
  const of = async (wanted: Parameters<typeof simulateJourney>[1], other = fresh()) =>
    simulateJourney(other, wanted).then(
      ({ members, duration }) => [members, duration],
      (error: { code: string; details: { field?: string } }) => [error.code, error.details.field],
    );
  expect(await of({ definition })).toEqual([0, null]);
  expect(await of({})).toEqual(['VALIDATION_FAILED', 'definition']);
  expect(await of({ id, definition })).toEqual(['VALIDATION_FAILED', 'definition']);
  expect(await of({ id, sampleSize: 0 })).toEqual(['VALIDATION_FAILED', 'sampleSize']);
  expect(await of({ id, sampleSize: 1_001 })).toEqual(['VALIDATION_FAILED', 'sampleSize']);
  expect(await of({ definition: { ...definition, start: 'x' } })).toEqual([
    'VALIDATION_FAILED',
    'definition.start',
  ]);
  expect(await of({ id }, newContext())).toEqual(['JOURNEY_NOT_FOUND', undefined]);
  const document = `query ($id: ID!) { simulateJourney(id: $id, sampleSize: 5) { population members asOf
    messages     expectedMessages nodes { nodeId entered skips { reason } branches { key } isTimeoutAssumed }
    ends { kind share } duration { p50Seconds } } }`;
  expect((await ask(fresh(), document, { id })).data.simulateJourney).toMatchObject({
    members: 0,
    duration: null,
  });
  const key = fresh({ kind: 'KEY', role: null, scopes: ['metrics:read'] });
  expect((await ask(key, document, { id })).reason).toBe('SCOPE_MISSING');
});
