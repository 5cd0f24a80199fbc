import { expect, test } from '@jest/globals';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { publishedEvents } from '@loyalty/test/harness/published-events';
import { useServices } from '@loyalty/test/harness/services';
import { askLoyalty, enrolMembers } from '../members.fixture.ts';
import { givenTemplate } from '../messages/messages.fixture.ts';
import {
  enter,
  givenJourney,
  graphOfNodes,
  moveAll,
  movingContext,
  nodeCountsOf,
  runsOf,
} from './runs.fixture.ts';
import { moveDueRuns } from './ticks.service.ts';

const { services, ctx, fresh } = useServices();

let made = 0;
const next = (): number => {
  made += 1;
  return made;
};
const enrol = (count: number) =>
  enrolMembers(
    fresh(),
    Array.from({ length: count }, () => `m${next()}@example.com`),
  );

const POOL = `mutation ($name: String!) { createCouponPool(input: {name: $name, couponType: FIXED,
  discountDisplay: "5 EUR"}) { id } }`;
const CODES = 'mutation ($id: ID!, $count: Int!) { generateCoupons(poolId: $id, count: $count) { id } }';

async function givenPool(count: number): Promise<string> {
  const answer = await askLoyalty(fresh(), POOL, { name: `Pool ${next()}` });
  const { id } = answer['createCouponPool'] as { id: string };
  await askLoyalty(fresh(), CODES, { id, count });
  return id;
}

const HELD = `query ($id: ID!) { member(id: $id) { pointsBalance tags { tag { key } source }
  coupons { totalCount } pointsTransactions { totalCount } } }`;
async function holdings(id: string) {
  const { member } = await askLoyalty(fresh(), HELD, { id });
  return member as Record<string, unknown>;
}

const messagesOf = () =>
  ctx.sql.query<{ memberId: string; nodeId: string; channel: string }>(
    `SELECT member_id, node_id, channel FROM engagement.messages
      WHERE workspace_id = $1 ORDER BY id`,
    [ctx.scope.workspaceId],
  );

test('each action has its effect once, and a member whom it is refused goes on', async () => {
  const templateId = await givenTemplate(ctx);
  const poolId = await givenPool(2);
  const id = await givenJourney(
    ctx,
    graphOfNodes([
      { id: 'mail', type: 'email', templateId, next: 'push' },
      { id: 'push', type: 'webPush', title: 'Hello', next: 'points' },
      { id: 'points', type: 'awardPoints', amount: 50, description: 'welcome', next: 'coupon' },
      { id: 'coupon', type: 'issueCoupon', poolId, next: 'tag' },
      { id: 'tag', type: 'addTag', tag: 'Welcomed', next: 'untag' },
      { id: 'untag', type: 'removeTag', tag: 'new', next: 'hook' },
      { id: 'hook', type: 'webhook', name: 'welcomed', next: null },
    ]),
  );
  const members = await enrol(3);
  await askLoyalty(fresh(), 'mutation ($id: ID!) { tagMember(memberId: $id, key: "new") { id } }', {
    id: members[0],
  });
  const unknown = newId(services.clock);
  await enter(fresh(), id, [...members, unknown]);
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject(Array(4).fill({ status: 'COMPLETED', nodeId: 'hook' }));
  expect(await nodeCountsOf(ctx, id)).toMatchObject({
    'mail DONE': 4,
    'push DONE': 4,
    'points DONE': 3,
    'points SKIPPED:MEMBER_NOT_FOUND': 1,
    'coupon DONE': 2,
    'coupon SKIPPED:POOL_EXHAUSTED': 1,
    'coupon SKIPPED:MEMBER_NOT_FOUND': 1,
    'tag DONE': 3,
    'hook DONE': 4,
  });
  const held = await Promise.all(members.map(holdings));
  expect(held).toMatchObject(
    Array(3).fill({ pointsBalance: 50, tags: [{ tag: { key: 'welcomed' }, source: 'AUTOMATION' }] }),
  );
  expect(held.map(({ coupons }) => (coupons as { totalCount: number }).totalCount).toSorted()).toEqual([
    0, 1, 1,
  ]);
  expect((await messagesOf()).map(({ nodeId }) => nodeId).toSorted()).toEqual([
    ...Array(4).fill('mail'),
    ...Array(4).fill('push'),
  ]);
  const steps = await publishedEvents(ctx, 'journey.step_reached');
  expect(steps).toHaveLength(4);
  expect(steps[0]).toMatchObject({ journeyId: id, nodeId: 'hook', name: 'welcomed' });
});

test('a batch that is repeated because its moves were lost has no effect twice', async () => {
  const templateId = await givenTemplate(ctx);
  const poolId = await givenPool(5);
  const id = await givenJourney(
    ctx,
    graphOfNodes([
      { id: 'mail', type: 'email', templateId, next: 'points' },
      { id: 'points', type: 'awardPoints', amount: 50, description: 'welcome', next: 'coupon' },
      { id: 'coupon', type: 'issueCoupon', poolId, next: null },
    ]),
  );
  const [one] = await enrol(1);
  await enter(fresh(), id, [one!]);
  const row = `FROM engagement.journey_runs WHERE workspace_id = $1 AND journey_id = $2`;
  const [before] = await ctx.sql.query(
    `SELECT to_jsonb(r) AS run ${row.replace('journey_runs', 'journey_runs AS r')}`,
    [ctx.scope.workspaceId, id],
  );
  await moveAll(services);
  // Simulates a crash: other subgraphs have committed, and this one has not.
  await ctx.sql.query(`DELETE ${row}`, [ctx.scope.workspaceId, id]);
  await ctx.sql.query(
    'INSERT INTO engagement.journey_runs SELECT (jsonb_populate_record(NULL::engagement.journey_runs, $1)).*',
    [JSON.stringify((before as { run: object }).run)],
  );
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject([{ status: 'COMPLETED' }]);
  expect(await messagesOf()).toHaveLength(1);
  expect(await holdings(one!)).toMatchObject({
    pointsBalance: 50,
    coupons: { totalCount: 1 },
    pointsTransactions: { totalCount: 1 },
  });
});

test('a message leaves a node once in a run, however often the run comes there', async () => {
  const templateId = await givenTemplate(ctx);
  const id = await givenJourney(
    ctx,
    graphOfNodes([
      { id: 'mail', type: 'email', templateId, next: 'points' },
      { id: 'points', type: 'awardPoints', amount: 1, description: 'again', next: 'wait' },
      { id: 'wait', type: 'delay', days: 1, next: 'mail' },
    ]),
  );
  const [one] = await enrol(1);
  await enter(fresh(), id, [one!]);
  for (let day = 0; day < 3; day += 1) {
    await moveAll(services);
    services.clock.advance(1_440 * MINUTE_MS);
  }
  expect(await messagesOf()).toHaveLength(1);
  expect(await nodeCountsOf(ctx, id)).toMatchObject({
    'mail DONE': 1,
    'mail SKIPPED:ALREADY_SENT': 2,
    'points DONE': 3,
  });
  expect(await holdings(one!)).toMatchObject({ pointsBalance: 3 });
});

test('what cannot be done at all is skipped by all, with the reason', async () => {
  const id = await givenJourney(
    ctx,
    graphOfNodes([{ id: 'mail', type: 'email', templateId: newId(services.clock), next: null }]),
  );
  await enter(fresh(), id, await enrol(2));
  await moveAll(services);
  expect(await nodeCountsOf(ctx, id)).toMatchObject({ 'mail SKIPPED:TEMPLATE_NOT_FOUND': 2 });
});

test('while another subgraph is away its actions wait, longer each time, and are then done once', async () => {
  const id = await givenJourney(
    ctx,
    graphOfNodes([{ id: 'points', type: 'awardPoints', amount: 5, description: 'x', next: null }]),
  );
  const [one] = await enrol(1);
  await enter(fresh(), id, [one!]);
  const { unavailable } = await import('@loyalty/platform/base/errors');
  const away = {
    ...services,
    peers: { ...services.peers, ask: () => Promise.reject(unavailable('PEER_UNAVAILABLE', 'Away.')) },
  };
  await moveDueRuns(movingContext(away));
  const [first] = await runsOf(ctx, id);
  expect(first).toMatchObject({ nodeId: 'points', status: 'ACTIVE', attempts: 1 });
  services.clock.set(first!.dueAt!);
  await moveDueRuns(movingContext(away));
  const [second] = await runsOf(ctx, id);
  expect(second!.dueAt!.getTime() - services.clock.now().getTime()).toBeGreaterThan(5_000);
  services.clock.set(second!.dueAt!);
  await moveAll(services);
  expect(await runsOf(ctx, id)).toMatchObject([{ status: 'COMPLETED' }]);
  expect(await holdings(one!)).toMatchObject({ pointsBalance: 5 });
});
