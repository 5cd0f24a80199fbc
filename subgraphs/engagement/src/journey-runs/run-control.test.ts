import { expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import type { JourneyNode } from '../journeys/journey-definition.ts';
import { publishVersion } from '../journeys/journeys.service.ts';
import { changeJourneyStatus } from './journey-status.service.ts';
import { eraseRuns, moveRunsToVersion, releaseAllRuns } from './run-control.service.ts';
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

const { services, ctx, fresh } = useServices();
const member = () => newId(services.clock);

const steps: readonly JourneyNode[] = [
  { id: 'wait', type: 'delay', hours: 1, next: 'hook' },
  { id: 'hook', type: 'webhook', name: 'done', next: null },
];
type Status = 'ACTIVE' | 'PAUSED' | 'ENDED';
const change = (context: Context, id: string, from: Status, to: Status) =>
  context.transaction((tx) => changeJourneyStatus(tx, id, { from: [from], to }));

test('nobody enters a paused journey or goes on in it; once resumed, each goes on once', async () => {
  const id = await givenJourney(ctx, graphOfNodes(steps));
  const one = member();
  await enter(ctx, id, [one]);
  await moveAll(services);
  expect(await change(fresh(), id, 'ACTIVE', 'PAUSED')).toBe(true);
  services.clock.advance(HOUR_MS);
  await moveAll(services);
  await handleEvents(services, [memberEvent(ctx, 'member.created', member())]);
  expect(await runsOf(ctx, id)).toMatchObject([{ memberId: one, nodeId: 'wait', dueAt: null }]);
  await change(fresh(), id, 'PAUSED', 'ACTIVE');
  await moveAll(services);
  await releaseAllRuns(fresh(), id);
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject([{ status: 'COMPLETED', nodeId: 'hook' }]);
  expect(await publishedEvents(ctx, 'journey.step_reached')).toHaveLength(1);
});

test('a worker that had taken runs before a pause moves none after it', async () => {
  const id = await givenJourney(ctx, graphOfNodes(steps));
  await enter(ctx, id, [member()]);
  await moveAll(services);
  services.clock.advance(HOUR_MS);
  const moving = moveAll(services);
  await change(fresh(), id, 'ACTIVE', 'PAUSED');
  const seen = await runsOf(ctx, id);
  await moving;
  const after = await runsOf(ctx, id);
  expect(after.map(({ nodeId, status }) => ({ nodeId, status }))).toEqual(
    seen.map(({ nodeId, status }) => ({ nodeId, status })),
  );
});

test('an event that comes during a pause counts after it', async () => {
  const event = { type: 'order.created' };
  const id = await givenJourney(
    ctx,
    graphOfNodes([
      { id: 'w', type: 'waitForEvent', event, timeout: { days: 1 }, next: 'yes', otherwise: 'no' },
      { id: 'yes', type: 'exit' },
      { id: 'no', type: 'exit' },
    ]),
  );
  const one = member();
  await enter(ctx, id, [one]);
  await moveAll(services);
  await change(fresh(), id, 'ACTIVE', 'PAUSED');
  await handleEvents(services, [memberEvent(ctx, 'order.created', one)]);
  expect(await runsOf(ctx, id)).toMatchObject([{ nodeId: 'w', status: 'ACTIVE' }]);
  services.clock.advance(2 * DAY_MS);
  await change(fresh(), id, 'PAUSED', 'ACTIVE');
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject([{ nodeId: 'yes', status: 'COMPLETED' }]);
});

test('the end of a journey lets everybody out, also those whom a worker has taken', async () => {
  const id = await givenJourney(ctx, graphOfNodes(steps));
  await enter(ctx, id, [member(), member()]);
  await moveAll(services);
  services.clock.advance(HOUR_MS);
  await claimRuns(movingContext(services), 1);
  await change(fresh(), id, 'ACTIVE', 'ENDED');
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject(Array(2).fill({ status: 'EXITED', reason: 'JOURNEY_ENDED' }));
  expect(await nodeCountsOf(ctx, id)).toMatchObject({ 'wait ENTERED': 2, 'wait EXITED': 2 });
  expect(await enter(fresh(), id, [member()])).toBe(0);
});

test('members finish in the version that they entered, unless they are moved', async () => {
  const id = await givenJourney(ctx, graphOfNodes(steps));
  await enter(ctx, id, [member()]);
  await moveAll(services);
  const second = graphOfNodes([
    { id: 'pause', type: 'delay', days: 1, next: 'end' },
    { id: 'end', type: 'exit' },
  ]);
  await fresh().transaction((tx) =>
    publishVersion(tx, { id, kind: 'JOURNEY', name: id, definition: second }),
  );
  await enter(fresh(), id, [member()]);
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject([
    { version: 1, nodeId: 'wait' },
    { version: 2, nodeId: 'pause' },
  ]);
  const nodeMap = { wait: 'pause', hook: 'end' };
  const moved = await fresh().transaction((tx) =>
    moveRunsToVersion(tx, { journeyId: id, fromVersion: 1, toVersion: 2, nodeMap }),
  );
  expect(moved).toBe(1);
  services.clock.advance(HOUR_MS);
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject([
    { version: 2, nodeId: 'end', status: 'COMPLETED' },
    { version: 2, nodeId: 'pause', status: 'ACTIVE' },
  ]);
});

test('an erased member leaves nothing but counters', async () => {
  const id = await givenJourney(ctx, graphOfNodes(steps));
  const [gone, stays] = [member(), member()];
  await enter(ctx, id, [gone, stays]);
  await moveAll(services);
  await eraseRuns(fresh(), gone);
  services.clock.advance(HOUR_MS);
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject([{ memberId: stays, status: 'COMPLETED' }]);
  expect(await nodeCountsOf(ctx, id)).toMatchObject({ 'wait ENTERED': 2, 'hook DONE': 1 });
});

test('nothing moves in a workspace that has stopped sending', async () => {
  const id = await givenJourney(ctx, graphOfNodes(steps));
  await enter(ctx, id, [member()]);
  const stop = (at: Date | null) =>
    ctx.sql.query(
      `INSERT INTO engagement.message_settings (workspace_id, stopped_at) VALUES ($1, $2)
       ON CONFLICT (workspace_id) DO UPDATE SET stopped_at = excluded.stopped_at`,
      [ctx.scope.workspaceId, at],
    );
  await stop(services.clock.now());
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject([{ nodeId: '' }]);
  await stop(null);
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject([{ nodeId: 'wait' }]);
});
