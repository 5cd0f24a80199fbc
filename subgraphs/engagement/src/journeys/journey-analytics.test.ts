import { expect, test } from '@jest/globals';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { publishProgress } from '@loyalty/platform/subscriptions/publish-progress';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { endJourney, launchJourney } from '../journey-runs/journey-status.service.ts';
import { sourceChannel } from '../messages/source-messages.service.ts';
import { engagement } from '../subgraph.ts';
import { createJourney, updateJourney } from './edit-journey.service.ts';
import { watchJourney } from './journey-analytics.service.ts';
import { aDefinition, inARow } from './journeys.fixture.ts';
import { type GivenSourceMessage, givenSourceMessage } from './source-messages.fixture.ts';

const { ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

const ANALYTICS = `query ($id: ID!) { journeyAnalytics(id: $id) { id entered active completed goalReached
  exited failed computedAt nodes { nodeId type label entered waiting done queued sent delivered opened clicked
  simulated skipped skips { reason count } failed goalReached exited branches { key count } } } }`;
const read = async (id: string, of = fresh()) => (await ask(of, ANALYTICS, { id })).data.journeyAnalytics;
const zero = {
  ...{
    entered: 0,
    waiting: 0,
    done: 0,
    queued: 0,
    sent: 0,
    delivered: 0,
    opened: 0,
    clicked: 0,
    simulated: 0,
  },
  ...{ skipped: 0, skips: [], failed: 0, goalReached: 0, exited: 0, branches: [] },
};

async function givenCounts(
  id: string,
  version: number,
  counts: readonly (readonly [node: string, outcome: string, count: number])[],
) {
  for (const [nodeId, outcome, count] of counts)
    await ctx.sql.query(
      `INSERT INTO engagement.journey_node_counts (workspace_id, mode, journey_id, version, node_id, outcome,
         count)
       VALUES ($1, 'LIVE', $2, $3, $4, $5, $6)`,
      [ctx.scope.workspaceId, id, version, nodeId, outcome, count],
    );
}

async function givenRun(id: string, nodeId: string, isEnded = false): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO engagement.journey_runs (workspace_id, mode, id, journey_id, version, member_id, entry_key,
            trigger, node_id, arrived_at, entered_at, ended_at, status)
     VALUES ($1, 'LIVE', $2, $3, 1, $4, 'x', '{}', $5, now(), now(), CASE WHEN $6 THEN now() END,
             CASE WHEN $6 THEN 'COMPLETED' ELSE 'ACTIVE' END::engagement."RunStatus")`,
    [ctx.scope.workspaceId, newId(ctx.clock), id, newId(ctx.clock), nodeId, isEnded],
  );
}

const givenMessage = (id: string, message: GivenSourceMessage) => givenSourceMessage(ctx, id, message);

const definition = aDefinition({
  nodes: inARow([
    {
      id: 'choose',
      type: 'condition',
      condition: { op: 'and', conditions: [] },
      next: 'push',
      otherwise: null,
    },
    { id: 'push', label: 'Hello', type: 'webPush', title: 'Hi' },
    { id: 'wait', type: 'delay', days: 1 },
  ]),
});

async function launched(of: Context = fresh()): Promise<string> {
  const { id } = await createJourney(of, { name: 'Journey', definition });
  await launchJourney(of, id);
  return id;
}

test('a draft has its nodes, and nobody in them', async () => {
  const { id } = await createJourney(fresh(), { name: 'Draft', definition });
  expect(await read(id)).toEqual({
    ...{ id, entered: 0, active: 0, completed: 0, goalReached: 0, exited: 0, failed: 0 },
    computedAt: ctx.clock.now().toISOString(),
    nodes: [
      { ...zero, nodeId: 'choose', type: 'condition', label: 'choose' },
      { ...zero, nodeId: 'push', type: 'webPush', label: 'Hello' },
      { ...zero, nodeId: 'wait', type: 'delay', label: 'wait' },
    ],
  });
});

/** Inserts counts of two versions, members in the first version, and messages. */
async function givenTwoVersions(id: string): Promise<void> {
  await givenCounts(id, 1, [
    ['choose', 'ENTERED', 20],
    ['choose', 'BRANCH:yes', 12],
    ['choose', 'BRANCH:no', 8],
    ['choose', 'COMPLETED', 8],
    ['push', 'ENTERED', 12],
    ['push', 'DONE', 9],
    ['push', 'SKIPPED:ALREADY_SENT', 2],
    ['push', 'FAILED', 1],
    ['wait', 'ENTERED', 11],
    ['wait', 'GOAL_REACHED', 2],
    ['wait', 'EXITED', 1],
    ['gone', 'ENTERED', 5],
  ]);
  await updateJourney(fresh(), id, {
    definition: {
      ...definition,
      nodes: definition.nodes
        .slice(0, 2)
        .map((node) => ({ ...node, next: node.id === 'push' ? null : 'push' })),
    },
  });
  await launchJourney(fresh(), id);
  await givenCounts(id, 2, [
    ['choose', 'ENTERED', 1],
    ['choose', 'BRANCH:yes', 1],
    ['push', 'SKIPPED:MEMBER_CLOSED', 3],
  ]);
  for (const nodeId of ['wait', 'wait', 'push', '']) await givenRun(id, nodeId);
  await givenRun(id, 'wait', true);
  const nodeId = 'push';
  await givenMessage(id, { nodeId, status: 'QUEUED' });
  await givenMessage(id, { nodeId, status: 'SENT', opens: 3, clicks: 1 });
  await givenMessage(id, { nodeId, status: 'DELIVERED', opens: 1 });
  await givenMessage(id, { nodeId, status: 'BOUNCED', reason: 'HARD' });
  await givenMessage(id, { nodeId, status: 'COMPLAINED' });
  await givenMessage(id, { nodeId, status: 'SIMULATED' });
  await givenMessage(id, { nodeId, status: 'FAILED', reason: 'NO_PROVIDER' });
  await givenMessage(id, { nodeId, status: 'SUPPRESSED', reason: 'UNSUBSCRIBED' });
  for (let n = 0; n < 4; n += 1) await givenMessage(id, { nodeId, status: 'SKIPPED', reason: 'NO_CONSENT' });
}

const nodesOfBoth = [
  {
    ...zero,
    ...{ nodeId: 'choose', type: 'condition', label: 'choose', entered: 21, done: 21 },
    branches: [
      { key: 'no', count: 8 },
      { key: 'yes', count: 13 },
    ],
  },
  {
    ...zero,
    ...{
      nodeId: 'push',
      type: 'webPush',
      label: 'Hello',
      entered: 12,
      waiting: 1,
      done: 9,
      queued: 1,
      sent: 4,
    },
    ...{ delivered: 2, opened: 2, clicked: 1, simulated: 1, failed: 2, skipped: 10 },
    skips: [
      { reason: 'NO_CONSENT', count: 4 },
      { reason: 'MEMBER_CLOSED', count: 3 },
      { reason: 'ALREADY_SENT', count: 2 },
      { reason: 'UNSUBSCRIBED', count: 1 },
    ],
  },
  {
    ...zero,
    ...{ nodeId: 'wait', type: 'delay', label: 'wait', entered: 11, waiting: 2, goalReached: 2, exited: 1 },
  },
];

test('figures are of all versions, of what nodes did, of who stands there, and of the log of messages', async () => {
  const id = await launched();
  await givenTwoVersions(id);
  const { nodes, ...totals } = await read(id);
  expect(totals).toMatchObject({
    entered: 16,
    active: 4,
    completed: 8,
    goalReached: 2,
    exited: 1,
    failed: 1,
  });
  expect(nodes).toEqual(nodesOfBoth);
});

test('a campaign has the figures of its journey, or of its audience, variants and hold-out', async () => {
  const journeyId = await launched();
  await givenCounts(journeyId, 1, [['choose', 'ENTERED', 7]]);
  const givenCampaign = async (journey: string | null) => {
    const id = newId(ctx.clock);
    await ctx.sql.query(
      `INSERT INTO engagement.campaigns (workspace_id, mode, id, name, channel, include_ids, exclude_ids,
              variants, hold_out_percent, journey_id, actor, created_at, updated_at)
       VALUES ($1, 'LIVE', $2, 'C', 'EMAIL', '{}', '{}', '[{"key":"a","weight":1},{"key":"b","weight":1}]', 10,
               $3, 'user:test', now(), now())`,
      [ctx.scope.workspaceId, id, journey],
    );
    return id;
  };
  const withJourney = await givenCampaign(journeyId);
  expect(await read(withJourney)).toMatchObject({
    id: withJourney,
    nodes: [{ nodeId: 'choose', entered: 7 }, {}, {}],
  });
  const id = await givenCampaign(null);
  const recipient = async (variant: string, state: string, reason: string | null = null) =>
    ctx.sql.query(
      `INSERT INTO engagement.campaign_recipients (workspace_id, mode, campaign_id, member_id, variant, state,
              reason, due_at)
       VALUES ($1, 'LIVE', $2, $3, $4, $5::engagement."RecipientState", $6, now())`,
      [ctx.scope.workspaceId, id, newId(ctx.clock), variant, state, reason],
    );
  await recipient('a', 'QUEUED');
  await recipient('a', 'QUEUED');
  await recipient('a', 'SKIPPED', 'NO_ADDRESS');
  await recipient('b', 'WAITING');
  await recipient('b', 'HELD_OUT');
  await givenMessage(id, { variant: 'a', status: 'DELIVERED', opens: 1, kind: 'CAMPAIGN' });
  await givenMessage(id, { variant: 'a', status: 'SKIPPED', reason: 'NO_CONSENT', kind: 'CAMPAIGN' });
  const figures = await read(id);
  expect(figures).toMatchObject({ id, entered: 5, active: 1, completed: 4 });
  expect(figures.nodes).toEqual([
    { ...zero, nodeId: 'audience', type: 'audience', label: 'Audience', entered: 5 },
    {
      ...zero,
      ...{
        nodeId: 'variant:a',
        type: 'variant',
        label: 'a',
        entered: 3,
        done: 2,
        sent: 1,
        delivered: 1,
        opened: 1,
      },
      ...{
        skipped: 2,
        skips: [
          { reason: 'NO_ADDRESS', count: 1 },
          { reason: 'NO_CONSENT', count: 1 },
        ],
      },
    },
    { ...zero, nodeId: 'variant:b', type: 'variant', label: 'b', entered: 1, waiting: 1 },
    { ...zero, nodeId: 'hold_out', type: 'hold_out', label: 'Held out', entered: 1 },
  ]);
});

test('who watches gets the figures at once, after changes of members and of messages, and the end', async () => {
  const id = await launched();
  const watched = await watchJourney(fresh(), id);
  const next = async () => (await watched.next()).value;
  expect((await next())?.nodes[0]).toMatchObject({ nodeId: 'choose', entered: 0 });
  await givenCounts(id, 1, [['choose', 'ENTERED', 3]]);
  publishProgress(fresh(), 'journey', id);
  expect((await next())?.nodes[0]).toMatchObject({ entered: 3 });
  await givenMessage(id, { nodeId: 'push', status: 'SENT' });
  await ctx.services.live.publish(sourceChannel(ctx.scope, id), 'moved');
  expect((await next())?.nodes[1]).toMatchObject({ sent: 1 });
  await endJourney(fresh(), id);
  expect(await next()).toMatchObject({ isEnded: true });
  expect(await watched.next()).toEqual({ done: true, value: undefined });
});

test('what there is not, or is of another workspace or mode, has no figures', async () => {
  const id = await launched();
  for (const other of [newContext(), fresh({ mode: 'TEST' })]) {
    expect(await read(id, other)).toBeNull();
    await expect(watchJourney(other, id)).rejects.toMatchObject({ code: 'JOURNEY_NOT_FOUND' });
  }
  expect(await read(newId(ctx.clock))).toBeNull();
});

test('only who may read metrics or campaigns reads figures', async () => {
  const id = await launched();
  const as = (...scopes: string[]) => ask(fresh({ kind: 'KEY', role: null, scopes }), ANALYTICS, { id });
  expect((await as('metrics:read')).data.journeyAnalytics.id).toBe(id);
  expect((await as('campaigns:read')).data.journeyAnalytics.id).toBe(id);
  expect((await as('members:read')).reason).toBe('SCOPE_MISSING');
});
