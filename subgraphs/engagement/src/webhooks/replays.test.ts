import { expect, test } from '@jest/globals';
import { HOUR_MS } from '@loyalty/platform/base/clock';
import { askOf } from '@loyalty/test/harness/ask';
import { eventually } from '@loyalty/test/harness/eventually';
import { useServices } from '@loyalty/test/harness/services';
import { engagement } from '../subgraph.ts';
import { WEBHOOK_DELIVERIES_CHANNEL } from './delivery-channels.ts';
import { updateEndpoint } from './endpoints.service.ts';
import { countReplays, pingWebhook, replayDeliveries, replayDelivery } from './replays.service.ts';
import { givenDelivery, givenEndpoint } from './webhooks.fixture.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

const replaysOf = (): Promise<{ replayOf: string; eventId: string; status: string }[]> =>
  ctx.sql.query(
    `SELECT replay_of, event_id, status FROM engagement.webhook_deliveries
      WHERE workspace_id = $1 AND replay_of IS NOT NULL ORDER BY replay_of`,
    [ctx.scope.workspaceId],
  );

test('what was counted is repeated in one call, each event once, and the workers are notified', async () => {
  const { id: endpointId } = await givenEndpoint(ctx);
  const messages: string[] = [];
  const stop = services.live.subscribe(WEBHOOK_DELIVERIES_CHANNEL, (message) => messages.push(message));
  const dead = [await givenDelivery(ctx, endpointId), await givenDelivery(ctx, endpointId)];
  await givenDelivery(ctx, endpointId, { status: 'DELIVERED' });
  const filter = { endpointId, status: 'DEAD' };
  const count = await ask(fresh(), 'query ($filter: ReplayFilter!) { replayCount(filter: $filter) }', {
    filter,
  });
  expect(count.data).toEqual({ replayCount: 2 });
  const document =
    'mutation ($filter: ReplayFilter!, $n: Int!) { replayDeliveries(filter: $filter, expectedCount: $n) }';
  expect((await ask(fresh(), document, { filter, n: 2 })).data).toEqual({ replayDeliveries: 2 });
  expect(await replaysOf()).toEqual(
    dead.map(({ id, eventId }) => ({ replayOf: id, eventId, status: 'PENDING' })),
  );
  await eventually(() => expect(messages).toEqual(['new']));
  stop();
});

test('a filter has the status, the event and the time', async () => {
  const { id: endpointId } = await givenEndpoint(ctx);
  const { id: other } = await givenEndpoint(ctx);
  await givenDelivery(ctx, endpointId, { status: 'FAILED' });
  const since = services.clock.now();
  services.clock.advance(HOUR_MS);
  const until = services.clock.now();
  await givenDelivery(ctx, endpointId, { type: 'order.created' });
  await givenDelivery(ctx, other);
  const count = (filter: object) => countReplays(fresh(), { endpointId, ...filter });
  expect(await count({})).toBe(2);
  expect(await count({ status: 'FAILED' })).toBe(1);
  expect(await count({ eventType: 'order.created' })).toBe(1);
  expect(await count({ since: until })).toBe(1);
  expect(await count({ since, until })).toBe(1);
  expect(await count({ until: since })).toBe(0);
});

test('when more match than are expected nothing is repeated', async () => {
  const { id: endpointId } = await givenEndpoint(ctx);
  for (let each = 0; each < 3; each += 1) await givenDelivery(ctx, endpointId);
  await expect(replayDeliveries(fresh(), { endpointId }, 2)).rejects.toMatchObject({
    category: 'CONFLICT',
    code: 'REPLAY_COUNT_EXCEEDED',
  });
  expect(await replaysOf()).toEqual([]);
  for (const expected of [0, -1, 100_001])
    await expect(replayDeliveries(fresh(), { endpointId }, expected)).rejects.toMatchObject({
      details: { field: 'expectedCount' },
    });
  expect(await replayDeliveries(fresh(), { endpointId }, 5)).toBe(3);
});

test('calls at once repeat each delivery once; a failed replay stands for what it repeated', async () => {
  const { id: endpointId } = await givenEndpoint(ctx);
  for (let each = 0; each < 20; each += 1) await givenDelivery(ctx, endpointId);
  const filter = { endpointId, status: 'DEAD' } as const;
  const counts = await Promise.all(Array.from({ length: 4 }, () => replayDeliveries(fresh(), filter, 20)));
  expect(counts.sort()).toEqual([0, 0, 0, 20]);
  expect(new Set((await replaysOf()).map(({ replayOf }) => replayOf)).size).toBe(20);
  expect(await countReplays(fresh(), filter)).toBe(0);
  await ctx.sql.query(
    `UPDATE engagement.webhook_deliveries SET status = 'DEAD'
      WHERE workspace_id = $1 AND replay_of IS NOT NULL`,
    [ctx.scope.workspaceId],
  );
  expect(await countReplays(fresh(), filter)).toBe(20);
});

test('test messages, expired events and what was replayed alone are left out', async () => {
  const { id: endpointId } = await givenEndpoint(ctx);
  await pingWebhook(fresh(), endpointId);
  const { id } = await givenDelivery(ctx, endpointId);
  await replayDelivery(fresh(), id);
  const expired = await givenDelivery(ctx, endpointId);
  await ctx.sql.query('DELETE FROM engagement.webhook_events WHERE workspace_id = $1 AND id = $2', [
    ctx.scope.workspaceId,
    expired.eventId,
  ]);
  expect(await countReplays(fresh(), { endpointId, status: 'DEAD' })).toBe(0);
  expect(await countReplays(fresh(), { endpointId })).toBe(1);
});

test('a paused endpoint, and one of another workspace or mode, are refused', async () => {
  const { id: endpointId } = await givenEndpoint(ctx);
  await givenDelivery(ctx, endpointId);
  for (const other of [() => newContext(), () => fresh({ mode: 'TEST' })]) {
    const missing = { code: 'WEBHOOK_ENDPOINT_NOT_FOUND' };
    await expect(countReplays(other(), { endpointId })).rejects.toMatchObject(missing);
    await expect(replayDeliveries(other(), { endpointId }, 1)).rejects.toMatchObject(missing);
  }
  await updateEndpoint(fresh(), endpointId, { status: 'PAUSED' });
  await expect(replayDeliveries(fresh(), { endpointId }, 1)).rejects.toMatchObject({
    code: 'WEBHOOK_ENDPOINT_NOT_ACTIVE',
  });
  expect(await replaysOf()).toEqual([]);
});

test('ten thousand deliveries are repeated by one statement', async () => {
  const { id: endpointId } = await givenEndpoint(ctx);
  const { id, eventId } = await givenDelivery(ctx, endpointId);
  await ctx.sql.query(
    `INSERT INTO engagement.webhook_events (workspace_id, mode, id, type, payload, created_at)
     SELECT e.workspace_id, e.mode, gen_random_uuid(), e.type, e.payload, e.created_at
       FROM engagement.webhook_events AS e, generate_series(1, 9999)
      WHERE e.workspace_id = $1 AND e.id = $2`,
    [ctx.scope.workspaceId, eventId],
  );
  await ctx.sql.query(
    `INSERT INTO engagement.webhook_deliveries (workspace_id, mode, id, endpoint_id, event_id, event_type,
       status, created_at, updated_at)
     SELECT d.workspace_id, d.mode, gen_random_uuid(), d.endpoint_id, e.id, e.type, d.status, d.created_at,
            d.updated_at
       FROM engagement.webhook_deliveries AS d
       JOIN engagement.webhook_events AS e ON e.workspace_id = d.workspace_id AND e.id <> d.event_id
      WHERE d.workspace_id = $1 AND d.id = $2`,
    [ctx.scope.workspaceId, id],
  );
  services.statements.length = 0;
  expect(await replayDeliveries(fresh(), { endpointId, status: 'DEAD' }, 10_000)).toBe(10_000);
  expect(services.statements.filter((text) => text.includes('INSERT INTO engagement'))).toHaveLength(1);
  expect(await replaysOf()).toHaveLength(10_000);
});
