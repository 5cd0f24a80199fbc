import { afterEach, expect, test } from '@jest/globals';
import type { Context } from '@loyalty/platform/context';
import { createContext } from '@loyalty/platform/database/create-context';
import { subscribeSubgraph } from '@loyalty/platform/graph/subgraph';
import { eventually } from '@loyalty/test/harness/eventually';
import { useServices } from '@loyalty/test/harness/services';
import type { ExecutionResult } from 'graphql';
import { engagement } from '../subgraph.ts';
import { publishDeliveriesChanged } from './delivery-channels.ts';
import { deleteEndpoint } from './endpoints.service.ts';
import { pingWebhook, replayDelivery } from './replays.service.ts';
import { givenDelivery, givenEndpoint } from './webhooks.fixture.ts';

const { services, ctx, fresh, newContext } = useServices();

type Results = AsyncIterableIterator<ExecutionResult, undefined>;
const open: Results[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((results) => results.return!()));
});

const DOCUMENT = `subscription ($endpointId: ID) { webhookDeliveryChanged(endpointId: $endpointId) {
  id status attemptCount replayOf body endpoint { id } attempts { number } } }`;

/** Subscribes and collects the results. */
async function watch(own: Context, endpointId: string | null = null) {
  const answer = await subscribeSubgraph(engagement, { query: DOCUMENT, variables: { endpointId } }, own);
  if (!('next' in answer)) throw Object.assign(new Error('refused'), answer.errors![0]!.extensions);
  open.push(answer);
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a client would
  const seen: any[] = [];
  void (async () => {
    for await (const { data, errors } of answer) seen.push(errors?.[0] ?? data!['webhookDeliveryChanged']);
  })();
  return { seen, ids: () => seen.map(({ id }) => id) };
}

/** Changes deliveries as a worker does: writes them, then publishes one message for each endpoint. */
async function change(
  own: Context,
  endpointId: string,
  ids: readonly string[],
  status: string,
): Promise<void> {
  await own.sql.query(
    `UPDATE engagement.webhook_deliveries
        SET status = $3::engagement."DeliveryStatus", attempts = attempts + 1, updated_at = $4
      WHERE workspace_id = $1 AND id = ANY($2::uuid[])`,
    [own.scope.workspaceId, ids, status, own.clock.now()],
  );
  publishDeliveriesChanged(own, endpointId);
}

test('a delivery is sent when it is made and after each change, with its attempts and body', async () => {
  const { id: endpointId } = await givenEndpoint(ctx);
  const before = await givenDelivery(ctx, endpointId);
  const { seen } = await watch(fresh());
  const ping = await pingWebhook(fresh(), endpointId);
  await eventually(() => expect(seen).toHaveLength(1));
  expect(seen[0]).toMatchObject({ id: ping.id, status: 'PENDING', endpoint: { id: endpointId } });
  expect(seen[0].body.data).toEqual({ resource_id: endpointId });
  await change(fresh(), endpointId, [ping.id], 'RETRYING');
  await eventually(() => expect(seen).toHaveLength(2));
  await change(fresh(), endpointId, [ping.id], 'DELIVERED');
  await eventually(() => expect(seen).toHaveLength(3));
  expect(seen.map(({ status, attemptCount }) => [status, attemptCount])).toEqual([
    ...[
      ['PENDING', 0],
      ['RETRYING', 1],
      ['DELIVERED', 2],
    ],
  ]);
  const replay = await replayDelivery(fresh(), before.id);
  await eventually(() => expect(seen).toHaveLength(4));
  expect(seen[3]).toMatchObject({ id: replay.id, replayOf: before.id });
});

test('who watches one endpoint gets its deliveries only, also when it is deleted', async () => {
  const [one, other] = [await givenEndpoint(ctx), await givenEndpoint(ctx)];
  const [ofOne, ofAll] = [await watch(fresh(), one.id), await watch(fresh())];
  const foreign = await pingWebhook(fresh(), other.id);
  const own = await pingWebhook(fresh(), one.id);
  await eventually(() => expect(ofAll.ids().sort()).toEqual([foreign.id, own.id]));
  await eventually(() => expect(ofOne.ids()).toEqual([own.id]));
  await deleteEndpoint(fresh(), one.id);
  await eventually(() => expect(ofOne.seen.at(-1)).toMatchObject({ id: own.id, status: 'CANCELLED' }));
  expect(ofOne.seen.at(-1).endpoint).toBeNull();
  expect(ofOne.seen).toHaveLength(2);
});

test('a thousand changes at once arrive, each delivery in its last state, in few reads', async () => {
  const { id: endpointId } = await givenEndpoint(ctx);
  const { id, eventId } = await givenDelivery(ctx, endpointId, { status: 'PENDING', attempts: 0 });
  const { seen } = await watch(fresh());
  await ctx.sql.query(
    `INSERT INTO engagement.webhook_deliveries (workspace_id, mode, id, endpoint_id, event_id, event_type,
       status, replay_of, created_at, updated_at)
     SELECT workspace_id, mode, gen_random_uuid(), endpoint_id, event_id, event_type, status, id, $3, $3
       FROM engagement.webhook_deliveries, generate_series(1, 1000)
      WHERE workspace_id = $1 AND id = $2 AND event_id = $4`,
    [ctx.scope.workspaceId, id, ctx.clock.now(), eventId],
  );
  services.statements.length = 0;
  for (let each = 0; each < 50; each += 1) publishDeliveriesChanged(fresh(), endpointId);
  await eventually(() => expect(seen).toHaveLength(1_000));
  expect(new Set(seen.map((one) => one.id)).size).toBe(1_000);
  const reads = services.statements.filter((text) => text.includes('(d.updated_at, d.id) >'));
  expect(reads.length).toBeLessThan(30);
  const before = seen.length;
  publishDeliveriesChanged(fresh(), endpointId);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(seen).toHaveLength(before);
});

test('what was committed late is not missed, and nothing of before the subscription is sent', async () => {
  const { id: endpointId } = await givenEndpoint(ctx);
  const early = await givenDelivery(ctx, endpointId);
  const { seen } = await watch(fresh());
  const first = await pingWebhook(fresh(), endpointId);
  await eventually(() => expect(seen).toHaveLength(1));
  const late = await givenDelivery(ctx, endpointId, { status: 'PENDING', attempts: 0 });
  await ctx.sql.query(
    `UPDATE engagement.webhook_deliveries SET updated_at = updated_at - interval '1 second'
      WHERE workspace_id = $1 AND id = $2`,
    [ctx.scope.workspaceId, late.id],
  );
  publishDeliveriesChanged(fresh(), endpointId);
  await eventually(() => expect(seen).toHaveLength(2));
  expect(seen.map(({ id }) => id)).toEqual([first.id, late.id]);
  expect(seen.map(({ id }) => id)).not.toContain(early.id);
});

test('after an interruption it goes on with what was missed', async () => {
  const { id: endpointId } = await givenEndpoint(ctx);
  services.clock.advance(60_000);
  const missed = await pingWebhook(fresh(), endpointId);
  services.clock.advance(10_000);
  const resumed = createContext(services, { caller: ctx.caller, requestId: 'test', missedMs: 15_000 });
  const { ids } = await watch(resumed);
  await eventually(() => expect(ids()).toEqual([missed.id]));
});

test('other workspaces and modes get nothing, and an endpoint of theirs is not found', async () => {
  const { id: endpointId } = await givenEndpoint(ctx);
  const others = [newContext(), fresh({ mode: 'TEST' })];
  const watched = await Promise.all(others.map((other) => watch(other)));
  for (const other of others)
    await expect(watch(other, endpointId)).rejects.toMatchObject({ reason: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
  const own = await watch(fresh());
  await pingWebhook(fresh(), endpointId);
  await eventually(() => expect(own.seen).toHaveLength(1));
  for (const { seen } of watched) expect(seen).toEqual([]);
  const key = fresh({ kind: 'KEY', role: null, scopes: ['members:read'] });
  await expect(watch(key)).rejects.toMatchObject({ reason: 'SCOPE_MISSING' });
});
