import { expect, test } from '@jest/globals';
import { addMs, HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { useServices } from '@loyalty/test/harness/services';
import type { JourneyNode } from '../journeys/journey-definition.ts';
import { givenProfiles } from '../profiles/profiles.fixture.ts';
import {
  enter,
  givenJourney,
  graphOfNodes,
  handleEvents,
  memberEvent,
  moveAll,
  movingContext,
  nodeCountsOf,
  runsOf,
} from './runs.fixture.ts';
import { claimRuns } from './runs.store.ts';
import { keepTriggerEvents, takeTriggerEvents } from './triggers.service.ts';

const { services, ctx, newContext } = useServices();
const member = () => newId(services.clock);

const waits: readonly JourneyNode[] = [
  {
    id: 'wait',
    type: 'waitForEvent',
    event: { type: 'order.created', where: { amountBand: ['50-100', '100+'] } },
    timeout: { days: 2 },
    next: 'bought',
    otherwise: null,
  },
  { id: 'bought', type: 'exit' },
];

const keptEvents = () =>
  ctx.sql.query('SELECT id FROM engagement.trigger_events WHERE workspace_id = $1', [ctx.scope.workspaceId]);

test('an event lets its member enter once, and only where its payload matches', async () => {
  const one = member();
  const id = await givenJourney(
    ctx,
    graphOfNodes([{ id: 'd', type: 'delay', days: 1, next: null }], {
      entry: { event: { type: 'points.awarded', where: { amount: 5 } } },
    }),
  );
  const event = memberEvent(ctx, 'points.awarded', one, { amount: 5 });
  const other = newContext();
  await handleEvents(services, [
    event,
    event,
    memberEvent(ctx, 'points.awarded', member(), { amount: 6 }),
    memberEvent(other, 'points.awarded', member(), { amount: 5 }),
  ]);
  await handleEvents(services, [event]);
  expect(await runsOf(ctx, id)).toMatchObject([{ memberId: one, nodeId: 'd' }]);
});

test('an event to which nobody listens leaves nothing', async () => {
  await givenJourney(ctx, graphOfNodes([{ id: 'x', type: 'exit' }]));
  const worker = movingContext(services);
  await worker.transaction((tx) => keepTriggerEvents(tx, [memberEvent(ctx, 'order.created', member())]));
  expect(await keptEvents()).toEqual([]);
});

test('only members who meet the condition of the entry enter', async () => {
  const [rich, poor] = await givenProfiles(ctx, [
    { memberId: member(), pointsBalance: 10 },
    { memberId: member(), pointsBalance: 9 },
  ]);
  const condition = { field: 'points_balance', operator: 'at_least', value: 10 };
  const id = await givenJourney(ctx, graphOfNodes([{ id: 'x', type: 'exit' }], { condition }));
  await handleEvents(services, [
    memberEvent(ctx, 'member.created', rich!),
    memberEvent(ctx, 'member.created', poor!),
  ]);
  expect(await runsOf(ctx, id)).toMatchObject([{ memberId: rich }]);
});

test('a wait ends with its event, or with its time-out', async () => {
  const id = await givenJourney(ctx, graphOfNodes(waits));
  const [buys, buysLittle, idle] = [member(), member(), member()];
  await enter(ctx, id, [buys, buysLittle, idle]);
  await moveAll(services);
  await handleEvents(services, [
    memberEvent(ctx, 'order.created', buys, { amountBand: '100+' }),
    memberEvent(ctx, 'order.created', buysLittle, { amountBand: '0-10' }),
  ]);
  expect(await runsOf(ctx, id)).toMatchObject([
    { status: 'COMPLETED', nodeId: 'bought' },
    { status: 'ACTIVE', nodeId: 'wait', waitsFor: 'order.created' },
    { status: 'ACTIVE', nodeId: 'wait' },
  ]);
  services.clock.advance(48 * HOUR_MS);
  await moveAll(services);
  expect(await nodeCountsOf(ctx, id)).toMatchObject({ 'wait BRANCH:event': 1, 'wait BRANCH:timeout': 2 });
});

test('an event that comes while a worker has the run waits for that worker', async () => {
  const id = await givenJourney(ctx, graphOfNodes(waits));
  const one = member();
  await enter(ctx, id, [one]);
  const worker = movingContext(services);
  // A worker has claimed the run and has not moved it yet.
  await claimRuns(worker, 10);
  const event = memberEvent(ctx, 'order.created', one, { amountBand: '100+' });
  await worker.transaction((tx) => keepTriggerEvents(tx, [event]));
  expect(await takeTriggerEvents(worker)).toEqual({ taken: 0, hasEvents: true });
  expect(await keptEvents()).toHaveLength(1);
  services.clock.advance(60_000);
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject([{ nodeId: 'wait', status: 'ACTIVE' }]);
});

test('an event that ends a wait wins against a worker that has just taken its time-out', async () => {
  const id = await givenJourney(ctx, graphOfNodes(waits));
  const one = member();
  await enter(ctx, id, [one]);
  await moveAll(services);
  services.clock.advance(48 * HOUR_MS);
  await claimRuns(movingContext(services), 10);
  await handleEvents(services, [memberEvent(ctx, 'order.created', one, { amountBand: '100+' })]);
  expect(await runsOf(ctx, id)).toMatchObject([{ nodeId: 'bought', status: 'COMPLETED' }]);
});

/** A journey that waits for days. An order is its goal, and a member who unsubscribes leaves it. */
const givenGoalAndExit = () =>
  givenJourney(
    ctx,
    graphOfNodes([{ id: 'd', type: 'delay', days: 9, next: null }], {
      goal: { event: { type: 'order.created' } },
      exit: [{ event: { type: 'member.unsubscribed' } }],
    }),
  );

test('members who reach the goal or have an event of the exit leave', async () => {
  const id = await givenGoalAndExit();
  const [buys, leaves, stays] = [member(), member(), member()];
  await enter(ctx, id, [buys, leaves, stays]);
  await handleEvents(services, [
    memberEvent(ctx, 'order.created', buys),
    memberEvent(ctx, 'member.unsubscribed', leaves),
  ]);
  expect(await runsOf(ctx, id)).toMatchObject([
    { status: 'GOAL_REACHED', dueAt: null },
    { status: 'EXITED', reason: 'member.unsubscribed' },
    { status: 'ACTIVE', nodeId: 'd' },
  ]);
});

test('an event from before a member entered does not end the run; one of that moment does', async () => {
  const id = await givenGoalAndExit();
  const [buys, leaves] = [member(), member()];
  await enter(ctx, id, [buys, leaves]);
  const before = addMs(services.clock.now(), -1);
  const events = () => [
    memberEvent(ctx, 'order.created', buys),
    memberEvent(ctx, 'member.unsubscribed', leaves),
  ];
  await handleEvents(
    services,
    events().map((event) => ({ ...event, createdAt: before })),
  );
  expect(await keptEvents()).toEqual([]);
  expect(await runsOf(ctx, id)).toMatchObject([{ status: 'ACTIVE' }, { status: 'ACTIVE' }]);
  await handleEvents(services, events());
  expect(await runsOf(ctx, id)).toMatchObject([{ status: 'GOAL_REACHED' }, { status: 'EXITED' }]);
});

test('an event from before a run came to its wait does not end the wait; one of that moment does', async () => {
  const id = await givenJourney(ctx, graphOfNodes(waits));
  const one = member();
  await enter(ctx, id, [one]);
  const early = memberEvent(ctx, 'order.created', one, { amountBand: '100+' });
  services.clock.advance(MINUTE_MS);
  await moveAll(services);
  await handleEvents(services, [early]);
  expect(await runsOf(ctx, id)).toMatchObject([{ status: 'ACTIVE', nodeId: 'wait' }]);
  await handleEvents(services, [memberEvent(ctx, 'order.created', one, { amountBand: '100+' })]);
  expect(await runsOf(ctx, id)).toMatchObject([{ status: 'COMPLETED', nodeId: 'bought' }]);
});

test('who leaves the segment leaves the journey, and may enter again with it', async () => {
  const segmentId = newId(services.clock);
  const id = await givenJourney(
    ctx,
    graphOfNodes([{ id: 'd', type: 'delay', days: 9, next: null }], {
      entry: { segmentId },
      leavesWithSegment: true,
    }),
  );
  const one = member();
  const entered = () => memberEvent(ctx, 'segment.entered', one, { segmentId });
  await handleEvents(services, [entered()]);
  services.clock.advance(HOUR_MS);
  await handleEvents(services, [memberEvent(ctx, 'segment.left', one, { segmentId: newId(services.clock) })]);
  expect(await runsOf(ctx, id)).toMatchObject([{ status: 'ACTIVE' }]);
  await handleEvents(services, [memberEvent(ctx, 'segment.left', one, { segmentId })]);
  services.clock.advance(HOUR_MS);
  await handleEvents(services, [entered()]);
  expect(await runsOf(ctx, id)).toMatchObject([
    { status: 'EXITED', reason: 'segment.left' },
    { status: 'ACTIVE' },
  ]);
});

test('re-entry follows its rule', async () => {
  const rules = [
    [{ rule: 'NEVER' }, 1],
    [{ rule: 'AFTER_END' }, 4],
    [{ rule: 'AFTER_DAYS', days: 2 }, 2],
  ] as const;
  const one = member();
  const ids = [];
  for (const [reentry] of rules)
    ids.push(await givenJourney(ctx, graphOfNodes([{ id: 'x', type: 'exit' }], { reentry })));
  // Two events at the same time are two entries, one after the other.
  await handleEvents(services, [
    memberEvent(ctx, 'member.created', one),
    memberEvent(ctx, 'member.created', one),
  ]);
  services.clock.advance(24 * HOUR_MS);
  await handleEvents(services, [memberEvent(ctx, 'member.created', one)]);
  services.clock.advance(24 * HOUR_MS);
  await handleEvents(services, [memberEvent(ctx, 'member.created', one)]);
  for (const [place, [, count]] of rules.entries())
    expect(await runsOf(ctx, ids[place]!)).toHaveLength(count);
});

test('the events of fifty members cost as many statements as that of one', async () => {
  await givenJourney(ctx, graphOfNodes(waits, { goal: { event: { type: 'tier.upgraded' } } }));
  const worker = movingContext(services);
  const statementsFor = async (count: number) => {
    const events = Array.from({ length: count }, () => memberEvent(ctx, 'member.created', member()));
    services.statements.length = 0;
    await worker.transaction((tx) => keepTriggerEvents(tx, events));
    await takeTriggerEvents(worker);
    return services.statements.length;
  };
  await statementsFor(1);
  expect(await statementsFor(50)).toBe(await statementsFor(1));
});
