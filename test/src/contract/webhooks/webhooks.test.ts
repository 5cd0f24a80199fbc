import { beforeAll, describe, expect, test } from '@jest/globals';
import { useStack } from '../../harness/stack.ts';
import { expectError, shapes } from '../shapes.ts';

const stack = useStack();
const PATH = '/api/v2/webhooks';
const url = 'https://pos.example.com/hooks?token=a';
const eventTypes = ['member.created', 'loyalty.tier_upgraded'];
let key: string;
let testKey: string;
let foreignKey: string;
let otherKey: string;

beforeAll(async () => {
  const { token } = await stack.signUp();
  key = (await stack.key(token, ['webhooks:manage'])).secret;
  testKey = (await stack.key(token, ['webhooks:manage'], 'TEST')).secret;
  otherKey = (await stack.key(token, ['members:read'])).secret;
  foreignKey = (await stack.key((await stack.signUp()).token, ['webhooks:manage'])).secret;
});

const call = (method: string, path: string, body?: unknown, as = key) =>
  stack.rest(method, `${PATH}${path}`, { as, ...(body !== undefined && { body }) });
const create = async (as = key) => (await call('POST', '', { url, eventTypes }, as)).body.data;

describe('POST /webhooks', () => {
  test('answers 201 with the endpoint and its secret, which no other answer has', async () => {
    const body = { url, description: 'Till', eventTypes };
    const answer = await call('POST', '', body);
    expect(answer.status).toBe(201);
    const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(answer.body).toEqual({ data: { id: shapes.uuid, url, eventTypes, status: 'active', secret } });
    const listed = await call('GET', '');
    expect(JSON.stringify(listed.body)).not.toContain('whsec_');
    expect(listed.body.data[0]).toEqual({
      ...{ id: answer.body.data.id, url, description: 'Till', eventTypes, status: 'active' },
      ...{ created_at: shapes.instant, last_success_at: null, last_failure_at: null },
    });
    expect(listed.body.total).toBe(listed.body.data.length);
  });

  test('takes events in place of eventTypes', async () => {
    const { status, body } = await call('POST', '', { url, events: ['order.created', 'order.created'] });
    expect([status, body.data.eventTypes]).toEqual([201, ['order.created']]);
  });

  test.each([
    [{ url: 'http://pos.example.com', eventTypes }, 'url'],
    [{ url: 'https://10.1.2.3/hook', eventTypes }, 'url'],
    [{ url: 'https://a:b@pos.example.com', eventTypes }, 'url'],
    [{ eventTypes }, 'url'],
    [{ url, eventTypes: [] }, 'eventTypes'],
    [{ url, eventTypes: ['member.created', 'member.imagined'] }, 'eventTypes[1]'],
    [{ url, eventTypes, description: 'x'.repeat(501) }, 'description'],
    [{ url, eventTypes, secret: 'mine' }, 'secret'],
  ])('%j is refused with 400 that names %s', async (body, field) => {
    const before = (await call('GET', '')).body.total;
    const answer = await call('POST', '', body);
    expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(field)]);
    expect((await call('GET', '')).body.total).toBe(before);
  });
});

describe('PATCH /webhooks/{id}', () => {
  test('changes url, events, description and status', async () => {
    const { id } = await create();
    const next = 'https://till.example.com/in';
    const answer = await call('PATCH', `/${id}`, { url: next, events: ['order.created'], status: 'paused' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: { id, url: next, description: null, eventTypes: ['order.created'], status: 'paused' },
    });
    const again = await call('PATCH', `/${id}`, { eventTypes, status: 'active', description: 'Till 4' });
    expect(again.body.data).toMatchObject({ eventTypes, status: 'active', description: 'Till 4', url: next });
    expectError(await call('PATCH', `/${id}`, { status: 'disabled' }), 400, 'VALIDATION_FAILED', /^status /);
    expectError(await call('PATCH', `/${id}`, { status: 'broken' }), 400, 'VALIDATION_FAILED', /^status /);
    expectError(
      await call('PATCH', `/${id}`, { url: 'https://localhost' }),
      400,
      'VALIDATION_FAILED',
      /^url /,
    );
  });

  test('with the action rotate_secret answers with a new secret and the end of the previous one', async () => {
    const { id, secret } = await create();
    const answer = await call('PATCH', `/${id}`, { action: 'rotate_secret' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      ...{ id, url, description: null, eventTypes, status: 'active' },
      secret: expect.stringMatching(/^whsec_/),
      previous_secret_expires_at: shapes.instant,
    });
    expect(answer.body.data.secret).not.toBe(secret);
    const hours = (Date.parse(answer.body.data.previous_secret_expires_at) - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
    expect((await call('PATCH', `/${id}`, { action: 'erase' })).status).toBe(400);
  });
});

test('DELETE /webhooks/{id} answers that it is deleted, and 404 after', async () => {
  const { id } = await create();
  const answer = await call('DELETE', `/${id}`);
  expect([answer.status, answer.body]).toEqual([200, { data: { id, deleted: true } }]);
  for (const method of ['DELETE', 'PATCH'])
    expectError(
      await call(method, `/${id}`, method === 'PATCH' ? {} : undefined),
      404,
      'WEBHOOK_ENDPOINT_NOT_FOUND',
      id,
    );
});

test('endpoints of test mode and of other workspaces are apart, and other scopes are refused', async () => {
  const { id } = await create();
  const sandboxed = await create(testKey);
  for (const as of [testKey, foreignKey]) {
    const ids = (await call('GET', '', undefined, as)).body.data.map((one: { id: string }) => one.id);
    expect(ids).not.toContain(id);
    expectError(
      await call('PATCH', `/${id}`, { status: 'paused' }, as),
      404,
      'WEBHOOK_ENDPOINT_NOT_FOUND',
      id,
    );
    expectError(
      await call('PATCH', `/${id}`, { action: 'rotate_secret' }, as),
      404,
      'WEBHOOK_ENDPOINT_NOT_FOUND',
      id,
    );
    expectError(await call('DELETE', `/${id}`, undefined, as), 404, 'WEBHOOK_ENDPOINT_NOT_FOUND', id);
  }
  expect((await call('GET', '', undefined, testKey)).body.data.map((one: { id: string }) => one.id)).toEqual([
    sandboxed.id,
  ]);
  for (const [method, path, body] of [
    ['GET', ''],
    ['POST', '', { url, eventTypes }],
    ['PATCH', `/${id}`, { action: 'rotate_secret' }],
    ['DELETE', `/${id}`],
  ] as const)
    expectError(await call(method, path, body, otherKey), 403, 'SCOPE_MISSING', 'webhooks:manage');
  expect((await stack.rest('GET', PATH)).status).toBe(401);
});

test('GET /events/catalog lists events by stage with an example, the schema and the headers', async () => {
  const { status, body } = await stack.rest('GET', '/api/v2/events/catalog', { as: key });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['data']);
  const { events, payload } = body.data;
  expect(events.find(({ event }: { event: string }) => event === 'loyalty.tier_upgraded')).toEqual({
    event: 'loyalty.tier_upgraded',
    label: 'Tier upgraded',
    description: 'A member reached a higher tier.',
    stage: 'loyalty',
    examplePayload: {
      ...{ id: shapes.uuid, type: 'loyalty.tier_upgraded', created_at: shapes.instant, sequence: 42 },
      data: { resource_id: shapes.uuid, member_ref: shapes.uuid, tier: 'Gold' },
    },
  });
  expect(payload.schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(payload.headers.map(({ name }: { name: string }) => name)).toEqual([
    ...['webhook-id', 'webhook-timestamp', 'webhook-signature', 'content-type'],
  ]);
  const keys = events.map(({ event }: { event: string }) => event);
  const made = await call('POST', '', { url, eventTypes: keys });
  expect([made.status, made.body.data.eventTypes]).toEqual([201, keys]);
  expectError(
    await stack.rest('GET', '/api/v2/events/catalog', { as: otherKey }),
    403,
    'SCOPE_MISSING',
    'webhooks:manage',
  );
});
