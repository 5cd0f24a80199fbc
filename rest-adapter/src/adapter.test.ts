import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { type Asked, appOver } from './adapter.fixture.ts';

const id = '0197a3c2-5f1a-7d02-8c44-9be1c07d6a21';
const KEY = { authorization: 'Bearer key' };
const JSON_BODY = { ...KEY, 'content-type': 'application/json' };
const gone = {
  errors: [
    { message: 'No member has the id.', extensions: { code: 'NOT_FOUND', reason: 'MEMBER_NOT_FOUND' } },
  ],
};
const member = { id, email: 'a@b.c', status: 'ACTIVE', current_tier_id: null };

let app: FastifyInstance;
let asked: Asked[];
beforeAll(async () => {
  ({ app, asked } = await appOver({
    GetMember: { data: { reply: member }, headers: { 'ratelimit-policy': '"requests"' } },
    ListMembers: { data: { reply: { members: [member], total: 1 } } },
    CreateMember: { data: { reply: member } },
    MemberPoints: { data: { reply: null } },
    UpdateMember: gone,
    Unsubscribe: { data: { data: { email: 'a@b.c' } } },
    ConfirmEmail: { data: { reply: { id } } },
    Login: { data: { reply: { token: 't' } } },
    ModelTiers: { data: { reply: [] } },
    AddDevice: { errors: [{ message: 'SELECT failed', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
  }));
});
afterAll(() => app.close());

const get = (url: string, headers: Record<string, string> = KEY) =>
  app.inject({ method: 'GET', url, headers });
const post = (url: string, payload: string | object, headers: Record<string, string> = JSON_BODY) =>
  app.inject({ method: 'POST', url, headers, payload });

test('a row runs its operation and answers in the documented shape', async () => {
  const response = await get(`/api/v2/members/${id}`);
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual({ ...member, status: 'active' });
  expect(asked.at(-1)).toEqual({ operationName: 'GetMember', variables: { id } });
});

test('headers of the gateway and the request id reach the client', async () => {
  const { headers } = await get(`/api/v2/members/${id}`);
  expect(headers).toMatchObject({ 'ratelimit-policy': '"requests"', 'x-request-id': 'request-1' });
});

test('a successful answer has the status of the row', async () => {
  expect((await post('/api/v2/members', { email: 'a@b.c', fullName: 'Ada' })).statusCode).toBe(201);
});

test('an error of the graph has the status of its category', async () => {
  const response = await app.inject({
    method: 'PATCH',
    url: `/api/v2/members/${id}`,
    headers: JSON_BODY,
    payload: {},
  });
  expect([response.statusCode, response.headers['x-error-code'], response.json()]).toEqual([
    404,
    'MEMBER_NOT_FOUND',
    { error: 'No member has the id.' },
  ]);
});

test('an unknown error of the graph is 500 without its message', async () => {
  const body = { endpoint: 'https://a', keys: { p256dh: 'p', auth: 'a' } };
  const response = await post('/api/member/web-push', body, { ...JSON_BODY, authorization: 'Bearer member' });
  expect([response.statusCode, response.headers['x-error-code']]).toEqual([500, 'INTERNAL']);
  expect(response.body).not.toContain('SELECT');
});

test('a read that finds nothing is 404 with the code of its noun', async () => {
  const response = await get(`/api/v2/members/${id}/points`);
  expect([response.statusCode, response.headers['x-error-code']]).toEqual([404, 'MEMBER_NOT_FOUND']);
});

test('an unsupported method on a documented path is 405 with the header Allow', async () => {
  for (const [method, url, allow] of [
    ['DELETE', `/api/v2/members/${id}`, 'GET, HEAD, PATCH'],
    ['PUT', '/api/v2/members', 'GET, HEAD, POST'],
    ['GET', '/api/v2/auth/login', 'POST'],
    ['HEAD', '/api/v2/auth/login', 'POST'],
    ['OPTIONS', '/api/v2/members', 'GET, HEAD, POST'],
    ['PATCH', '/api/v2/members/unsubscribe', 'POST, GET, HEAD'],
  ] as const) {
    const response = await app.inject({ method, url, headers: KEY });
    expect([method, url, response.statusCode, response.headers['allow']]).toEqual([method, url, 405, allow]);
    if (method !== 'HEAD')
      expect(response.json()).toEqual({ error: `${method} is not possible here, only ${allow}.` });
  }
});

test('an unsupported method is refused before the body is read', async () => {
  const response = await app.inject({
    method: 'PUT',
    url: '/api/v2/members',
    headers: JSON_BODY,
    payload: '{',
  });
  expect(response.statusCode).toBe(405);
});

test.each([
  '/api/v2/nothing',
  '/api/v2',
  '/api/v2/members/',
  `/api/v2/members/${id}/`,
  '/api/v2/members//points',
  '/API/V2/members',
  '/',
])('the unknown path %s is 404', async (url) => {
  const response = await get(url);
  expect([response.statusCode, response.headers['x-error-code']]).toEqual([404, 'PATH_NOT_FOUND']);
  expect(response.json()).toEqual({ error: `There is no ${url} here. See /docs/rest for every path.` });
});

test('the 404 of an unknown path does not repeat the query', async () => {
  expect((await get('/api/v2/nothing?email=ada@example.com')).body).not.toContain('ada@example');
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'multipart/form-data; boundary=x',
])('a body with the media type %s is 415', async (type) => {
  const response = await post('/api/v2/members/unsubscribe', 'email=a@b.c', { ...KEY, 'content-type': type });
  expect([response.statusCode, response.headers['x-error-code']]).toEqual([415, 'MEDIA_TYPE_UNSUPPORTED']);
});

test('JSON with a charset is accepted', async () => {
  const response = await post('/api/v2/members/unsubscribe', '{"email":"a@b.c"}', {
    ...KEY,
    'content-type': 'application/json; charset=UTF-8',
  });
  expect(response.statusCode).toBe(200);
});

test('a body over the limit is 413', async () => {
  const response = await post('/api/v2/members/unsubscribe', { email: 'a'.repeat(300 * 1024) });
  expect([response.statusCode, response.headers['x-error-code']]).toEqual([413, 'BODY_TOO_LARGE']);
});

test.each([
  '{',
  '{"email":}',
  'email',
  '{"email":"a@b.c"}}',
  ' ',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"x":1}}}',
])('the body %j is refused with BODY_INVALID', async (body) => {
  const response = await post('/api/v2/members/unsubscribe', body);
  expect([response.statusCode, response.headers['x-error-code']]).toEqual([400, 'BODY_INVALID']);
});

test('100,000 nested arrays are refused without a crash', async () => {
  const brackets = '['.repeat(100_000) + ']'.repeat(100_000);
  const deep = `{"email":"a@b.c","fullName":"Ada","customAttributes":{"a":${brackets}}}`;
  expect((await post('/api/v2/members', deep)).statusCode).toBe(400);
});

test('a POST that needs no body is accepted without a body and with an empty one', async () => {
  for (const headers of [KEY, JSON_BODY]) {
    expect(
      (await app.inject({ method: 'POST', url: `/api/v2/members/${id}/confirm`, headers })).statusCode,
    ).toBe(200);
  }
  expect((await post(`/api/v2/members/${id}/confirm`, {})).statusCode).toBe(200);
});

test('a POST without its required body is refused with the name of the missing field', async () => {
  const response = await app.inject({ method: 'POST', url: '/api/v2/members/unsubscribe', headers: KEY });
  expect([response.statusCode, response.json()]).toEqual([400, { error: 'email is required.' }]);
});

test('HEAD is answered like GET, without a body', async () => {
  const response = await app.inject({ method: 'HEAD', url: `/api/v2/members/${id}`, headers: KEY });
  expect([response.statusCode, response.body]).toEqual([200, '']);
  expect(Number(response.headers['content-length'])).toBeGreaterThan(0);
});

test('a literal path has priority over a path with an id', async () => {
  await get('/api/v2/members/unsubscribe?email=a%40b.c');
  expect(asked.at(-1)).toEqual({ operationName: 'IsSubscribed', variables: { email: 'a@b.c' } });
});

test('percent-encoding in a path is decoded once', async () => {
  await get(`/api/v2/members/${id.replace('-', '%2D')}`);
  expect(asked.at(-1)?.variables).toEqual({ id });
  const response = await get('/api/v2/members/a%252Fb%2F..%2F');
  expect([response.statusCode, response.json()]).toEqual([404, { error: 'No member has the id a%2Fb/../.' }]);
});

test('a very long id and a path that cannot be decoded are 404 in the documented form', async () => {
  for (const segment of ['a'.repeat(5_000), '%zz', '%E0%A4%A']) {
    const response = await get(`/api/v2/members/${segment}`);
    expect([response.statusCode, Object.keys(response.json())]).toEqual([404, ['error']]);
  }
});

test('a query parameter given twice is 400', async () => {
  const response = await get('/api/v2/members?limit=1&limit=2');
  expect([response.statusCode, response.json()]).toEqual([400, { error: 'limit is given more than once.' }]);
});

test('a wrong credential is refused before path, method and body are checked', async () => {
  const headers = { ...JSON_BODY, authorization: 'Bearer wrong' };
  for (const [method, url] of [
    ['POST', '/api/v2/members'],
    ['PUT', '/api/v2/members'],
    ['GET', '/api/v2/members/42'],
    ['GET', '/api/v2/nothing'],
  ] as const) {
    const response = await app.inject({ method, url, headers, ...(method !== 'GET' && { payload: '{' }) });
    expect([method, url, response.statusCode, response.headers['x-error-code']]).toEqual([
      method,
      url,
      401,
      'CREDENTIAL_INVALID',
    ]);
  }
});

test('a caller without permission is refused before the input is checked', async () => {
  const before = asked.length;
  expect((await get('/api/v2/members/42', {})).statusCode).toBe(401);
  expect((await post('/api/v2/members', '{', { 'content-type': 'application/json' })).statusCode).toBe(401);
  expect(
    (await post('/api/v2/members', {}, { ...JSON_BODY, authorization: 'Bearer reader' })).statusCode,
  ).toBe(403);
  const off = await post(
    '/api/member/web-push',
    {},
    { ...JSON_BODY, authorization: 'Bearer member-without-module' },
  );
  expect([off.statusCode, off.headers['x-error-code']]).toEqual([403, 'MODULE_DISABLED']);
  expect(asked.length).toBe(before);
});

test('an operation for anonymous callers needs no credential', async () => {
  const response = await post(
    '/api/v2/auth/login',
    { email: 'a@b.c', password: 'x' },
    { 'content-type': 'application/json' },
  );
  expect([response.statusCode, response.json()]).toEqual([200, { token: 't' }]);
});

test('errors of v1 paths have the form of v1', async () => {
  expect((await get('/api/v1/tiers?x=1')).json()).toEqual({
    error: { code: 'UNKNOWN_FIELD', message: expect.any(String) },
  });
  expect((await get('/api/v1/tiers')).json()).toEqual([]);
});

test('after a refused large body, the next request over a real socket succeeds', async () => {
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const big = await fetch(`${origin}/api/v2/members`, {
    method: 'PUT',
    headers: JSON_BODY,
    body: 'x'.repeat(200_000),
  });
  expect([big.status, await big.json()]).toEqual([
    405,
    { error: 'PUT is not possible here, only GET, HEAD, POST.' },
  ]);
  const next = await fetch(`${origin}/api/v2/members/${id}`, { headers: KEY });
  expect(next.status).toBe(200);
});
