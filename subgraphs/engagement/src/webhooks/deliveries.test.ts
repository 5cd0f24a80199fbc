import { describe, expect, test } from '@jest/globals';
import { HOUR_MS } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { engagement } from '../subgraph.ts';
import { deleteEndpoint, updateEndpoint } from './endpoints.service.ts';
import { pingWebhook, replayDelivery } from './replays.service.ts';
import { givenDelivery, givenEndpoint } from './webhooks.fixture.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

const PAUSED = { code: 'WEBHOOK_ENDPOINT_NOT_ACTIVE', category: 'CONFLICT' };
const FIELDS = `id webhookId endpointId endpoint { url } eventType status attemptCount nextAttemptAt createdAt
  replayOf body attempts { number responseStatus error durationMs responseExcerpt }`;
const list = async (filter = '', own: Context = fresh()) => {
  const { data, message } = await ask(
    own,
    `{ webhookDeliveries${filter} { totalCount nodes { ${FIELDS} } } }`,
  );
  if (!data?.webhookDeliveries) throw new Error(message);
  return data.webhookDeliveries;
};
const idsOf = async (filter: string) => (await list(filter)).nodes.map(({ id }: { id: string }) => id);

describe('the log', () => {
  test('shows each delivery with its attempts and its body, newest first', async () => {
    const { id: endpointId } = await givenEndpoint(ctx);
    const first = await givenDelivery(ctx, endpointId, { attempts: 2 });
    const second = await givenDelivery(ctx, endpointId, { status: 'PENDING', attempts: 0 });
    const attempt = { responseStatus: 500, error: 'It answered 500.', responseExcerpt: 'answer' };
    const shared = { endpointId, endpoint: { url: 'https://hooks.example.com/loyalty' }, replayOf: null };
    const { nodes, totalCount } = await list();
    expect(totalCount).toBe(2);
    expect(nodes).toMatchObject([
      { ...shared, id: second.id, status: 'PENDING', attempts: [], nextAttemptAt: expect.any(String) },
      {
        ...shared,
        ...{ id: first.id, webhookId: first.eventId, status: 'DEAD', attemptCount: 2, nextAttemptAt: null },
        attempts: [
          { ...attempt, number: 1, durationMs: 10 },
          { ...attempt, number: 2, durationMs: 20 },
        ],
        body: {
          id: first.eventId,
          type: 'member.created',
          sequence: 7,
          data: { resource_id: expect.any(String) },
        },
      },
    ]);
    const one = await ask(fresh(), `query ($id: ID!) { webhookDelivery(id: $id) { ${FIELDS} } }`, {
      id: first.id,
    });
    expect(one.data.webhookDelivery).toEqual(nodes[1]);
    await ctx.sql.query('DELETE FROM engagement.webhook_events WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    expect((await list()).nodes[0].body).toBeNull();
  });

  test('is filtered by endpoint, status, event and time', async () => {
    const [one, other] = [await givenEndpoint(ctx), await givenEndpoint(ctx)];
    const dead = await givenDelivery(ctx, one.id);
    const instant = services.clock.now().toISOString();
    services.clock.advance(HOUR_MS);
    const order = await givenDelivery(ctx, one.id, { status: 'DELIVERED', type: 'order.created' });
    const later = services.clock.now().toISOString();
    const foreign = await givenDelivery(ctx, other.id, { status: 'DELIVERED' });
    expect(await idsOf(`(endpointId: "${one.id}")`)).toEqual([order.id, dead.id]);
    expect(await idsOf('(status: DELIVERED)')).toEqual([foreign.id, order.id]);
    expect(await idsOf('(eventType: "order.created")')).toEqual([order.id]);
    expect(await idsOf(`(endpointId: "${one.id}", status: DEAD, eventType: "member.created")`)).toEqual([
      dead.id,
    ]);
    expect(await idsOf(`(createdFrom: "${later}")`)).toEqual([foreign.id, order.id]);
    expect(await idsOf(`(createdFrom: "${instant}", createdUntil: "${later}")`)).toEqual([dead.id]);
    expect(await idsOf(`(createdUntil: "${instant}")`)).toEqual([]);
  });

  test('is paged by cursor, and of fifty rows costs as many statements as of one', async () => {
    const { id } = await givenEndpoint(ctx);
    const made: string[] = [];
    for (let each = 0; each < 50; each += 1) made.unshift((await givenDelivery(ctx, id)).id);
    const page = async (args: string) => {
      services.statements.length = 0;
      const { data } = await ask(
        fresh(),
        `{ webhookDeliveries(${args}) { nodes { ${FIELDS} } pageInfo { endCursor } } }`,
      );
      return { ...data.webhookDeliveries, statements: services.statements.length };
    };
    const first = await page('first: 1');
    const rest = await page(`first: 49, after: "${first.pageInfo.endCursor}"`);
    expect([...first.nodes, ...rest.nodes].map(({ id: each }) => each)).toEqual(made);
    expect(rest.statements).toBe(first.statements);
    expect((await ask(fresh(), '{ webhookDeliveries(first: 201) { totalCount } }')).message).toContain(
      'first',
    );
  });

  test('needs the scope, and is of one workspace and mode', async () => {
    const { id } = await givenEndpoint(ctx);
    const delivery = await givenDelivery(ctx, id);
    const document = 'query ($id: ID!) { webhookDelivery(id: $id) { id } }';
    for (const other of [() => newContext(), () => fresh({ mode: 'TEST' })]) {
      expect((await list('', other())).totalCount).toBe(0);
      expect((await ask(other(), document, delivery)).data).toEqual({ webhookDelivery: null });
    }
    const key = fresh({ kind: 'KEY', role: null, scopes: ['members:read'] });
    expect((await ask(key, document, { id: delivery.id })).reason).toBe('SCOPE_MISSING');
  });
});

describe('a test message', () => {
  test('is a delivery of its own type, due now, that is about the endpoint', async () => {
    const { id } = await givenEndpoint(ctx);
    const { data } = await ask(fresh(), `mutation ($id: ID!) { pingWebhook(id: $id) { ${FIELDS} } }`, { id });
    const ping = data.pingWebhook;
    expect(ping).toMatchObject({
      endpointId: id,
      eventType: 'webhook.ping',
      status: 'PENDING',
      attempts: [],
    });
    expect(ping.nextAttemptAt).toBe(services.clock.now().toISOString());
    expect(ping.body).toEqual({
      id: ping.webhookId,
      type: 'webhook.ping',
      created_at: services.clock.now().toISOString(),
      sequence: null,
      data: { resource_id: id },
    });
    const [event] = await ctx.sql.query(
      'SELECT due_at AS due, sequence FROM engagement.webhook_events WHERE workspace_id = $1',
      [ctx.scope.workspaceId],
    );
    expect(event).toEqual({ due: null, sequence: null });
  });

  test('is not sent to a paused endpoint, nor to one of another workspace or mode', async () => {
    const { id } = await givenEndpoint(ctx);
    for (const other of [newContext(), fresh({ mode: 'TEST' })])
      await expect(pingWebhook(other, id)).rejects.toMatchObject({ code: 'WEBHOOK_ENDPOINT_NOT_FOUND' });
    await updateEndpoint(fresh(), id, { status: 'PAUSED' });
    await expect(pingWebhook(fresh(), id)).rejects.toMatchObject(PAUSED);
    expect((await list()).totalCount).toBe(0);
  });
});

describe('a replay', () => {
  test('has the same webhook-id and body, and names what it repeats', async () => {
    const { id: endpointId } = await givenEndpoint(ctx);
    const dead = await givenDelivery(ctx, endpointId);
    const document = `mutation ($id: ID!) { replayDelivery(id: $id) { ${FIELDS} } }`;
    const { replayDelivery: replay } = (await ask(fresh(), document, { id: dead.id })).data;
    expect(replay).toMatchObject({
      ...{ webhookId: dead.eventId, replayOf: dead.id, status: 'PENDING', attempts: [], endpointId },
      nextAttemptAt: services.clock.now().toISOString(),
    });
    expect(replay.id).not.toBe(dead.id);
    const [repeated, former] = (await list()).nodes;
    expect([repeated.id, repeated.body]).toEqual([replay.id, former.body]);
    expect(former).toMatchObject({ id: dead.id, status: 'DEAD' });
    expect(await replayDelivery(fresh(), replay.id)).toMatchObject({ replayOf: replay.id });
  });

  test.each(['PAUSED', 'DISABLED'])('to a %s endpoint is refused with a sentence', async (status) => {
    const { id } = await givenEndpoint(ctx);
    const dead = await givenDelivery(ctx, id);
    await ctx.sql.query(
      `UPDATE engagement.webhook_endpoints SET status = $2::engagement."WebhookEndpointStatus"
        WHERE workspace_id = $1`,
      [ctx.scope.workspaceId, status],
    );
    const message = `The endpoint is ${status.toLowerCase()}. Set its status to active first.`;
    await expect(replayDelivery(fresh(), dead.id)).rejects.toMatchObject({ ...PAUSED, message });
    expect((await list()).totalCount).toBe(1);
  });

  test('to an endpoint that was deleted is refused with a sentence', async () => {
    const { id } = await givenEndpoint(ctx);
    const dead = await givenDelivery(ctx, id);
    await deleteEndpoint(fresh(), id);
    const message = 'The endpoint of this delivery was deleted.';
    await expect(replayDelivery(fresh(), dead.id)).rejects.toMatchObject({ ...PAUSED, message });
  });

  test('of an event that is kept no longer is refused as gone', async () => {
    const { id } = await givenEndpoint(ctx);
    const dead = await givenDelivery(ctx, id);
    await ctx.sql.query('DELETE FROM engagement.webhook_events WHERE workspace_id = $1', [
      ctx.scope.workspaceId,
    ]);
    const gone = { code: 'EVENT_EXPIRED', category: 'GONE' };
    await expect(replayDelivery(fresh(), dead.id)).rejects.toMatchObject(gone);
  });

  test('of an unknown delivery, or one of another workspace or mode, is not found', async () => {
    const { id } = await givenEndpoint(ctx);
    const dead = await givenDelivery(ctx, id);
    const missing = { code: 'WEBHOOK_DELIVERY_NOT_FOUND', category: 'NOT_FOUND' };
    await expect(replayDelivery(fresh(), newId(ctx.clock))).rejects.toMatchObject(missing);
    for (const other of [newContext(), fresh({ mode: 'TEST' })])
      await expect(replayDelivery(other, dead.id)).rejects.toMatchObject(missing);
    expect((await list()).totalCount).toBe(1);
  });
});
