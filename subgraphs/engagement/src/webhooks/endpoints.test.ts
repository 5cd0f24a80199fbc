import { describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { askOf } from '@loyalty/test/harness/ask';
import { useServices } from '@loyalty/test/harness/services';
import { Webhook } from 'standardwebhooks';
import { engagement } from '../subgraph.ts';
import {
  createEndpoint,
  deleteEndpoint,
  rotateSecret,
  type SealedSecrets,
  signingSecretsOf,
  updateEndpoint,
} from './endpoints.service.ts';
import { givenAttempt, givenDelivery, givenEndpoint } from './webhooks.fixture.ts';

const { services, ctx, fresh, newContext } = useServices();
const ask = askOf(engagement);

const CREATE = `mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) {
  secret endpoint { id url description eventTypes status disabledReason rotationEndsAt lastSuccessAt } } }`;
const LIST = '{ webhookEndpoints { totalCount nodes { id } } }';
const input = { url: 'https://hooks.example.com/a?b=c', eventTypes: ['member.created'] };

const rowOf = async (own: Context, id: string) => {
  const [row] = await own.sql.query<SealedSecrets & { status: string; failingSince: Date | null }>(
    `SELECT workspace_id, secret_sealed, status, previous_secret_sealed, failing_since,
            previous_secret_expires_at
       FROM engagement.webhook_endpoints WHERE workspace_id = $1 AND id = $2`,
    [own.scope.workspaceId, id],
  );
  return row!;
};
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code }) => code,
  );

test('an endpoint is made with a secret that is shown once and stored sealed', async () => {
  const description = ' Till ';
  const { data } = await ask(ctx, CREATE, { input: { ...input, description } });
  const { secret, endpoint } = data.createWebhookEndpoint;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const shown = { disabledReason: null, rotationEndsAt: null, lastSuccessAt: null };
  expect(endpoint).toEqual({ id: endpoint.id, ...input, ...shown, description: 'Till', status: 'ACTIVE' });
  const stored = await ctx.sql.query<{ row: string }>(
    `SELECT t::text AS row FROM engagement.webhook_endpoints t WHERE workspace_id = $1
     UNION ALL SELECT t::text FROM platform.audit_entries t WHERE workspace_id = $1
     UNION ALL SELECT t::text FROM platform.outbox t WHERE workspace_id = $1`,
    [ctx.scope.workspaceId],
  );
  expect(stored).toHaveLength(2);
  for (const { row } of stored) expect(row).not.toContain(secret.slice(6, 30));
  expect(stored[1]!.row).toContain('hooks.example.com');
  expect(stored[1]!.row).not.toContain('b=c');
  expect(await signingSecretsOf(ctx, await rowOf(ctx, endpoint.id))).toEqual([secret]);
});

test.each([
  ['not-a-url', 'The URL is not valid'],
  ['http://hooks.example.com', 'The URL must start with https://'],
  ['https://user:password@hooks.example.com', 'The URL must not contain a user name or password'],
  ['https://127.0.0.1/x', 'The address of 127.0.0.1 is not public'],
  ['https://10.0.0.7', 'The address of 10.0.0.7 is not public'],
  ['https://169.254.169.254/latest', 'The address of 169.254.169.254 is not public'],
  ['https://[::1]/', 'The address of ::1 is not public'],
  ['https://[fd00::1]/', 'The address of fd00::1 is not public'],
  ['https://0x7f000001/', 'The address of 127.0.0.1 is not public'],
  ['https://localhost/', 'The address of localhost is not public'],
  ['https://printer.local', 'The address of printer.local is not public'],
  ['https://127.0.0.1:9999', 'The address of 127.0.0.1 is not public'],
  ['https://hooks.example.com/ a', 'spaces'],
  [`https://hooks.example.com/${'x'.repeat(2_000)}`, '2000 characters'],
  ['', 'must not be empty'],
])('the address %j is refused: %s', async (url, reason) => {
  const answer = await ask(fresh(), CREATE, { input: { ...input, url } });
  expect(answer).toMatchObject({ code: 'BAD_USER_INPUT', reason: 'VALIDATION_FAILED' });
  expect(answer.message).toMatch(/^input\.url /);
  expect(answer.message).toContain(reason);
  const changing = updateEndpoint(fresh(), (await givenEndpoint(fresh())).id, { url });
  await expect(changing).rejects.toMatchObject({ details: { field: 'input.url' } });
});

test('events are keys of the catalog, each once; an unknown one is named by its place', async () => {
  const create = (eventTypes: string[]) => createEndpoint(fresh(), { ...input, eventTypes });
  const twice = ['order.created', 'member.created', 'order.created'];
  expect((await create(twice)).endpoint.eventTypes).toEqual(['order.created', 'member.created']);
  await expect(create(['member.created', 'member.imagined'])).rejects.toMatchObject({
    code: 'EVENT_TYPE_UNKNOWN',
    details: { field: 'input.eventTypes[1]' },
  });
  await expect(create([])).rejects.toMatchObject({ details: { field: 'input.eventTypes' } });
  // Endpoints cannot subscribe to the test message: it is sent on request only.
  await expect(create(['webhook.ping'])).rejects.toMatchObject({ code: 'EVENT_TYPE_UNKNOWN' });
});

test('of many endpoints made at once 20 are kept, in each mode, and a deleted one makes room', async () => {
  const outcomes = await Promise.all(
    Array.from({ length: 26 }, () => codeOf(createEndpoint(fresh(), input))),
  );
  expect(outcomes.filter((code) => code === 'WEBHOOK_ENDPOINT_LIMIT')).toHaveLength(6);
  const { data } = await ask(fresh(), LIST);
  expect(data.webhookEndpoints.totalCount).toBe(20);
  expect(await codeOf(createEndpoint(fresh({ mode: 'TEST' }), input))).toBeNull();
  await deleteEndpoint(fresh(), data.webhookEndpoints.nodes[7].id);
  expect(await codeOf(createEndpoint(fresh(), input))).toBeNull();
  expect(await codeOf(createEndpoint(fresh(), input))).toBe('WEBHOOK_ENDPOINT_LIMIT');
});

describe('a change', () => {
  test('leaves what is absent, removes an empty description, and is audited', async () => {
    const { endpoint } = await createEndpoint(ctx, { ...input, description: 'Till' });
    services.clock.advance(1_000);
    expect(await updateEndpoint(fresh(), endpoint.id, {})).toEqual({
      ...endpoint,
      updatedAt: services.clock.now(),
    });
    const changed = await updateEndpoint(fresh(), endpoint.id, {
      url: 'https://other.example.com/b',
      description: '',
      eventTypes: ['order.created'],
      status: 'PAUSED',
    });
    expect(changed).toMatchObject({
      url: 'https://other.example.com/b',
      description: null,
      eventTypes: ['order.created'],
      status: 'PAUSED',
    });
    const audited = await ctx.sql.query<{ action: string; after: { changed: string[] } }>(
      'SELECT action, after FROM platform.audit_entries WHERE workspace_id = $1 ORDER BY id',
      [ctx.scope.workspaceId],
    );
    expect(audited.map(({ action }) => action)).toEqual([
      ...['createWebhookEndpoint', 'updateWebhookEndpoint', 'updateWebhookEndpoint'],
    ]);
    expect(audited[2]!.after.changed).toEqual(['url', 'description', 'eventTypes', 'status']);
  });

  test('a disabled endpoint goes on once it is set to active, and not before', async () => {
    const { id } = await givenEndpoint(ctx);
    await ctx.sql.query(
      `UPDATE engagement.webhook_endpoints SET status = 'DISABLED', disabled_reason = 'It answered 410.',
              failing_since = now() WHERE workspace_id = $1`,
      [ctx.scope.workspaceId],
    );
    const kept = { status: 'DISABLED', disabledReason: 'It answered 410.' };
    expect(await updateEndpoint(fresh(), id, { description: 'x' })).toMatchObject(kept);
    expect((await rowOf(ctx, id)).failingSince).not.toBeNull();
    await expect(updateEndpoint(fresh(), id, { status: 'DISABLED' })).rejects.toMatchObject({
      details: { field: 'input.status' },
    });
    const active = { status: 'ACTIVE', disabledReason: null };
    expect(await updateEndpoint(fresh(), id, { status: 'ACTIVE' })).toMatchObject(active);
    expect((await rowOf(ctx, id)).failingSince).toBeNull();
  });
});

describe('a rotation', () => {
  test('signs with both secrets for 24 hours, newest first, then with the new one alone', async () => {
    const { endpoint, secret: first } = await createEndpoint(ctx, input);
    const { secret: second, endpoint: rotated } = await rotateSecret(fresh(), endpoint.id);
    const secrets = async () => signingSecretsOf(fresh(), await rowOf(ctx, endpoint.id));
    expect(second).not.toBe(first);
    expect(rotated.previousSecretExpiresAt).toEqual(new Date(services.clock.now().getTime() + DAY_MS));
    expect(await secrets()).toEqual([second, first]);
    services.clock.advance(DAY_MS - 1);
    expect(await secrets()).toEqual([second, first]);
    const document = 'query ($id: ID!) { webhookEndpoint(id: $id) { rotationEndsAt } }';
    const shown = async () => (await ask(fresh(), document, { id: endpoint.id })).data.webhookEndpoint;
    expect((await shown()).rotationEndsAt).not.toBeNull();
    services.clock.advance(1);
    expect(await secrets()).toEqual([second]);
    expect((await shown()).rotationEndsAt).toBeNull();
  });

  test('within these hours ends the older secret', async () => {
    const { endpoint } = await createEndpoint(ctx, input);
    const { secret: second } = await rotateSecret(fresh(), endpoint.id);
    services.clock.advance(HOUR_MS);
    const { secret: third } = await rotateSecret(fresh(), endpoint.id);
    expect(await signingSecretsOf(fresh(), await rowOf(ctx, endpoint.id))).toEqual([third, second]);
  });

  test('makes secrets that the library of receivers takes', async () => {
    const { secret } = await createEndpoint(ctx, input);
    const [id, now, body] = ['evt', new Date(), '{"a":1}'];
    const signature = new Webhook(secret).sign(id, now, body);
    const headers = { 'webhook-id': id, 'webhook-signature': signature };
    const timestamp = { 'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)) };
    expect(new Webhook(secret).verify(body, { ...headers, ...timestamp })).toEqual({ a: 1 });
  });
});

test('deleting cancels what is still tried, keeps the log, and forgets the secrets', async () => {
  const { id } = await givenEndpoint(ctx);
  const pending = await givenDelivery(ctx, id, { status: 'PENDING', attempts: 0 });
  const retrying = await givenDelivery(ctx, id, { status: 'RETRYING' });
  const delivered = await givenDelivery(ctx, id, { status: 'DELIVERED' });
  const remove = 'mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { id deleted } }';
  expect((await ask(fresh(), remove, { id })).data).toEqual({ deleteWebhookEndpoint: { id, deleted: true } });
  const rows = await ctx.sql.query(
    'SELECT id, status, due_at AS due, claim FROM engagement.webhook_deliveries WHERE workspace_id = $1 ORDER BY id',
    [ctx.scope.workspaceId],
  );
  expect(rows).toEqual([
    { id: pending.id, status: 'CANCELLED', due: null, claim: 1 },
    { id: retrying.id, status: 'CANCELLED', due: null, claim: 1 },
    { id: delivered.id, status: 'DELIVERED', due: null, claim: 0 },
  ]);
  expect((await rowOf(ctx, id)).secretSealed).toHaveLength(0);
  expect((await ask(fresh(), LIST)).data.webhookEndpoints).toEqual({ totalCount: 0, nodes: [] });
  const log = '{ webhookDeliveries { nodes { id endpointId endpoint { id } } } }';
  expect((await ask(fresh(), log)).data.webhookDeliveries.nodes).toHaveLength(3);
  expect((await ask(fresh(), remove, { id })).reason).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
  await expect(updateEndpoint(fresh(), id, { status: 'ACTIVE' })).rejects.toMatchObject({
    code: 'WEBHOOK_ENDPOINT_NOT_FOUND',
  });
});

test('endpoints of another workspace or mode are not found', async () => {
  const { id } = await givenEndpoint(ctx);
  for (const other of [() => newContext(), () => fresh({ mode: 'TEST' })]) {
    const document = 'query ($id: ID!) { webhookEndpoint(id: $id) { id } }';
    expect((await ask(other(), document, { id })).data).toEqual({ webhookEndpoint: null });
    for (const work of [
      updateEndpoint(other(), id, { status: 'PAUSED' }),
      rotateSecret(other(), id),
      deleteEndpoint(other(), id),
    ])
      expect(await codeOf(work)).toBe('WEBHOOK_ENDPOINT_NOT_FOUND');
  }
  expect((await rowOf(ctx, id)).status).toBe('ACTIVE');
});

describe('statistics', () => {
  const DOCUMENT = `query ($hours: Int) { webhookEndpoints { nodes { id statistics(hours: $hours) {
    attempts successRate p50Ms p95Ms lastError pendingDeliveries } } } }`;
  const read = async (hours?: number) =>
    (await ask(fresh(), DOCUMENT, hours === undefined ? {} : { hours })).data.webhookEndpoints.nodes;

  test('count the attempts of the last hours, and what is still tried', async () => {
    const { id } = await givenEndpoint(ctx);
    const other = await givenEndpoint(ctx);
    const old = await givenDelivery(ctx, id, { status: 'DEAD', attempts: 2 });
    services.clock.advance(2 * HOUR_MS);
    for (const number of [3, 4, 5, 6])
      await givenAttempt(ctx, id, old.id, number, { responseStatus: 204, durationMs: number * 100 });
    await givenAttempt(ctx, id, old.id, 7, { responseStatus: 302, durationMs: 5_000 });
    await givenDelivery(ctx, id, { status: 'PENDING', attempts: 0 });
    const recent = { attempts: 5, successRate: 0.8, p50Ms: 500, p95Ms: 5_000, pendingDeliveries: 1 };
    const none = { attempts: 0, successRate: null, p50Ms: null, p95Ms: null, pendingDeliveries: 0 };
    expect(await read(1)).toEqual([
      { id: other.id, statistics: { ...none, lastError: null } },
      { id, statistics: { ...recent, lastError: null } },
    ]);
    expect((await read())[1].statistics).toMatchObject({ attempts: 7 });
  });

  test('of twenty endpoints cost as many statements as those of one', async () => {
    await givenEndpoint(ctx);
    const count = async () => {
      services.statements.length = 0;
      await read();
      return services.statements.length;
    };
    const one = await count();
    for (let more = 0; more < 19; more += 1) await givenEndpoint(fresh());
    expect(await count()).toBe(one);
  });

  test('refuse more hours than 720', async () => {
    await givenEndpoint(ctx);
    expect((await ask(fresh(), DOCUMENT, { hours: 721 })).message).toContain(
      'hours must be between 1 and 720',
    );
  });
});
