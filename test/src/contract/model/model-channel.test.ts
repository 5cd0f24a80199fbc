import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../harness/eventually.ts';
import { type Stack, useStack } from '../../harness/stack.ts';
import { expectModelError, shapes } from '../shapes.ts';
import { type ModelTenant, modelTenant, remoteAdapter } from './model.fixture.ts';

const stack = useStack();
let tenant: ModelTenant;
let remote: Awaited<ReturnType<typeof remoteAdapter>>;
beforeAll(async () => {
  tenant = await modelTenant(stack);
  remote = await remoteAdapter(stack);
});
stack.beforeClose(() => remote.close());

const documented = [
  ['GET', '/api/v1/capabilities'],
  ['POST', '/api/v1/capabilities'],
  ['POST', '/api/v1/capabilities/batch'],
  ['GET', '/api/v1/bulk-jobs'],
  ['POST', '/api/v1/bulk-jobs'],
  ['GET', '/api/v1/member-states'],
  ['GET', '/api/v1/data'],
  ['POST', '/api/v1/data'],
  ['PATCH', '/api/v1/data'],
  ['GET', '/api/v1/training'],
  ['POST', '/api/v1/training'],
  ['GET', '/api/v1/alignment'],
  ['POST', '/api/v1/alignment'],
] as const;
/** An import with a file of that length that has no member. */
const file = (length: number) => ({
  kind: 'members',
  format: 'csv',
  content: `external_id\n${'"'.repeat(length)}`,
});

describe('credentials', () => {
  test.each(documented)(
    '%s %s without a key is 401 with WWW-Authenticate, whatever is sent',
    async (method, path) => {
      const body = method === 'GET' ? {} : { body: '{' };
      for (const { rest } of [stack, remote]) {
        const reply = await rest(method, path, body);
        expectModelError(reply, 401, 'CREDENTIAL_MISSING');
        expect(reply.headers.get('www-authenticate')).toBe('Bearer');
      }
    },
  );

  test('a key is a Bearer and never an X-API-Key', async () => {
    for (const { rest } of [stack, remote]) {
      const headers = { 'x-api-key': tenant.key };
      expectModelError(await rest('GET', '/api/v1/data', { headers }), 401, 'CREDENTIAL_MISPLACED', 'Bearer');
    }
  });

  test.each([
    ['an unknown key', `Bearer lk_live_${'x'.repeat(38)}`],
    ['another scheme', 'Basic eDp5'],
  ])('%s is 401', async (_, authorization) => {
    expectModelError(
      await stack.rest('GET', '/api/v1/data', { headers: { authorization } }),
      401,
      'CREDENTIAL_INVALID',
    );
  });

  test.each(documented)('%s %s with a key of the v2 API is 403 and names the scope', async (method, path) => {
    const body = method === 'GET' ? {} : { body: {} };
    const reply = await stack.rest(method, path, { as: tenant.v2Key, ...body });
    expectModelError(reply, 403, 'SCOPE_MISSING', /predictions:read|model:(data|bulk|training)/);
  });

  test('activation needs both scopes', async () => {
    for (const scope of ['model:data:write', 'model:training:write']) {
      const { secret } = await stack.key(tenant.token, [scope]);
      const reply = await stack.rest('PATCH', '/api/v1/data', { as: secret, body: { activate: true } });
      expectModelError(reply, 403, 'SCOPE_MISSING', 'model:data:write and model:training:write');
    }
  });

  test('a key with a v1 scope ends after 90 days, and REST grants none', async () => {
    const { data } = await stack.graph<{
      createApiKey: { apiKey: { createdAt: string; expiresAt: string } };
    }>(
      `mutation ($input: CreateApiKeyInput!) {
        createApiKey(input: $input) { apiKey { createdAt expiresAt } } }`,
      { input: { name: 'model', scopes: ['predictions:read'] } },
      tenant.token,
    );
    const { createdAt, expiresAt } = data.createApiKey.apiKey;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(90 * 24 * 60 * 60 * 1_000);
    const body = { name: 'x', scopes: ['predictions:read'] };
    expect((await stack.rest('POST', '/api/v2/api-keys', { as: tenant.token, body })).status).toBe(400);
  });
});

describe('errors have the v1 body', () => {
  test('404 on a path that is not there', async () => {
    expectModelError(await stack.rest('GET', '/api/v1/nothing', { as: tenant.key }), 404, 'PATH_NOT_FOUND');
    expectModelError(await stack.rest('GET', '/api/v1', { as: tenant.key }), 404, 'PATH_NOT_FOUND');
  });

  test.each([
    ['DELETE', '/api/v1/data', 'GET, HEAD, POST, PATCH'],
    ['OPTIONS', '/api/v1/capabilities', 'GET, HEAD, POST'],
    ['GET', '/api/v1/capabilities/batch', 'POST'],
  ])('405 with Allow: %s %s', async (method, path, allow) => {
    const reply = await stack.rest(method, path, { as: tenant.key });
    expectModelError(reply, 405, 'METHOD_NOT_ALLOWED');
    expect(reply.headers.get('allow')).toBe(allow);
    expect(reply.headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each([
    ['a body that is no JSON', '{', 'BODY_INVALID'],
    ['a list', [], 'BODY_INVALID'],
    ['a workspace', { name: 'x', arguments: {}, workspace_id: 'w' }, 'UNKNOWN_FIELD'],
    ['an actor', { name: 'x', arguments: {}, actor: 'user:1' }, 'UNKNOWN_FIELD'],
    ['a name that is none', { name: 5 }, 'VALIDATION_FAILED'],
    ['arguments that are none', { name: 'x', arguments: [] }, 'VALIDATION_FAILED'],
  ])('400 for %s', async (_, body, code) => {
    for (const { rest } of [stack, remote]) {
      const reply = await rest('POST', '/api/v1/capabilities', { as: tenant.key, body });
      expectModelError(reply, 400, code);
    }
  });

  test('400 names a query parameter that nobody reads', async () => {
    const reply = await stack.rest('GET', '/api/v1/data?workspace_id=w', { as: tenant.key });
    expectModelError(reply, 400, 'UNKNOWN_FIELD', /^workspace_id/);
  });

  test.each([
    [{ ...file(1), confirmed: 'yes' }, /^confirmed must be true or false/],
    [{ ...file(1), confirmed: null }, /^confirmed must be true or false/],
    [{ ...file(1), kind: 'people' }, /^kind must be one of members, orders, events, order_lines/],
    [{ ...file(1), format: 'xml' }, /^format must be one of csv, json/],
    [{ ...file(1), content: [] }, /^content must be the text of a file/],
    [{ ...file(1), mapping: 'none' }, /^mapping must be an object/],
    [{ ...file(1), member_id: shapes.uuid }, /^member_id is not a field/],
    [{ kind: 'members', format: 'csv' }, 'content is required'],
  ])('400 for the import %j', async (body, sentence) => {
    expectModelError(await stack.rest('POST', '/api/v1/data', { as: tenant.key, body }), 400, /./, sentence);
  });

  test('415 for a body that is no JSON', async () => {
    const headers = { 'content-type': 'text/csv' };
    const reply = await stack.rest('POST', '/api/v1/data', { as: tenant.key, body: 'a', headers });
    expectModelError(reply, 415, 'MEDIA_TYPE_UNSUPPORTED');
  });

  test('413 for a batch above 256 KiB, not below', async () => {
    const batch = (bytes: number) => {
      const head = JSON.stringify({ requests: [{ id: 'a', name: 'nothing', arguments: {} }] });
      return head + ' '.repeat(bytes - head.length);
    };
    for (const { rest } of [stack, remote]) {
      const send = (bytes: number) =>
        rest('POST', '/api/v1/capabilities/batch', { as: tenant.key, body: batch(bytes) });
      expect((await send(256 * 1024)).status).not.toBe(413);
    }
    const reply = await stack.rest('POST', '/api/v1/capabilities/batch', {
      as: tenant.key,
      body: batch(256 * 1024 + 1),
    });
    expectModelError(reply, 413, 'BODY_TOO_LARGE');
  });

  test('413 for an import above 12 MiB; one below comes through the gateway from either adapter', async () => {
    for (const { rest } of [stack, remote]) {
      const tooLong = await rest('POST', '/api/v1/data', { as: tenant.key, body: file(6.1 * 1024 * 1024) });
      expectModelError(tooLong, 413, 'BODY_TOO_LARGE');
      const long = await rest('POST', '/api/v1/data', { as: tenant.key, body: file(4.9 * 1024 * 1024) });
      expect(long.status).not.toBe(413);
    }
  });
});

describe('the limit of requests', () => {
  test('is 300 a minute by itself, apart from the 6,000 of v2', async () => {
    const { key } = await modelTenant(stack);
    const { headers } = await stack.rest('GET', '/api/v1/data?x=1', { as: key });
    expect(headers.get('ratelimit-policy')).toBe('"model-requests";q=300;w=60');
    expect(headers.get('ratelimit')).toMatch(/^"model-requests";r=299;t=\d+$/);
    const other = await stack.rest('GET', '/api/v2/members', { as: key });
    expect(other.headers.get('ratelimit')).toMatch(/r=5999/);
  });

  test("is the workspace's own, over either adapter, and answers 429 with Retry-After", async () => {
    const { key, token } = await modelTenant(stack);
    const { errors } = await stack.graph(
      'mutation { updateLimits(input: { modelRequestsPerMinute: 60 }) { limits { modelRequestsPerMinute } } }',
      {},
      token,
    );
    expect(errors).toBeUndefined();
    const ask = (rest: Stack['rest']) =>
      rest('POST', '/api/v1/capabilities/batch', { as: key, body: { requests: [] } });
    await eventually(async () =>
      expect((await ask(stack.rest)).headers.get('ratelimit-policy')).toMatch(/q=60/),
    );
    expect((await ask(remote.rest)).headers.get('ratelimit-policy')).toMatch(/q=60/);
    const replies = await Promise.all(Array.from({ length: 60 }, () => ask(stack.rest)));
    const refused = replies.find(({ status }) => status === 429)!;
    expectModelError(refused, 429, 'RATE_LIMITED', 'More than 60 requests in a minute');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expectModelError(await ask(remote.rest), 429, 'RATE_LIMITED');
    expect((await stack.rest('GET', '/api/v2/members', { as: key })).status).toBe(403);
  });
});

describe('the documents', () => {
  test('v1 has every documented path with examples and Bearer alone', async () => {
    const { body } = await stack.rest('GET', '/openapi/v1.json');
    const described = Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(documented.map((one) => one.join(' ')).sort());
    expect(Object.keys(body.components.securitySchemes)).toEqual(['bearer']);
    expect(JSON.stringify(body)).not.toContain('apiKey');
  });
});
