import { beforeAll, expect, test } from '@jest/globals';
import { type Stack, useStack } from '../harness/stack.ts';

const shop = 'https://shop.example.com';
const stack = useStack({ settings: { CORS_ORIGINS: [shop, 'http://localhost:3000'] } });
const closed = useStack();
let key: string;
beforeAll(async () => {
  const { token } = await stack.signUp();
  key = (await stack.key(token)).secret;
});

const preflight = (to: Stack, path: string, origin: string) =>
  to.rest('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key',
    },
  });

const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

test('a preflight of an allowed origin is answered on REST and graph, and counted as no call', async () => {
  for (const path of ['/graphql', '/api/v2/members', '/api/v2/members/1/points', '/api/v1/data']) {
    for (const origin of [shop, 'http://localhost:3000']) {
      const { status, headers, body } = await preflight(stack, path, origin);
      expect([path, status, body]).toEqual([path, 204, '']);
      expect(corsOf(headers)).toEqual({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, HEAD, POST, PATCH, PUT, DELETE',
        'access-control-allow-headers': expect.stringMatching(
          /^Authorization, X-API-Key, Content-Type, Idempotency-Key, X-Loyalty-Mode,/,
        ),
        'access-control-max-age': '7200',
      });
      expect(headers.get('vary')).toMatch(/^Origin/);
      expect(headers.get('ratelimit')).toBeNull();
    }
  }
});

test('answers to an allowed origin say so, what they are and which headers may be read; cookies are never asked for', async () => {
  for (const [path, as, status] of [
    ['/api/v2/members', key, 200],
    ['/api/v2/members', undefined, 401],
    ['/api/v2/nothing', key, 404],
  ] as const) {
    const { status: got, headers } = await stack.rest('GET', path, {
      as: as ?? null,
      headers: { origin: shop },
    });
    expect([got, corsOf(headers)]).toEqual([
      status,
      {
        'access-control-allow-origin': shop,
        'access-control-expose-headers':
          'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Error-Code, ETag, ' +
          'Idempotent-Replayed, Deprecation, Sunset, Link',
      },
    ]);
    expect(headers.get('vary')).toBe(
      'Origin, Authorization, X-API-Key, X-Loyalty-Mode, Cookie, Sec-GPC, Accept',
    );
  }
  const { headers } = await stack.graph('{ __typename }', {}, key, { origin: shop });
  expect(corsOf(headers)).toMatchObject({ 'access-control-allow-origin': shop });
  expect(headers.get('vary')).toBe(
    'Origin, Authorization, X-API-Key, X-Loyalty-Mode, Cookie, Sec-GPC, Accept',
  );
});

test('an event stream may be read by an allowed origin', async () => {
  const response = await fetch(`${stack.url}/graphql`, {
    method: 'POST',
    headers: {
      origin: shop,
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  expect([response.headers.get('content-type'), response.headers.get('access-control-allow-origin')]).toEqual(
    [expect.stringContaining('text/event-stream'), shop],
  );
  expect(response.headers.get('vary')).toContain('Origin');
  await response.text();
});

test.each([
  'https://evil.example.com',
  'https://shop.example.com.evil.example',
  'http://shop.example.com',
  'https://shop.example.com:8443',
  'https://SHOP.example.com',
  'null',
])('the origin %s is allowed nothing', async (origin) => {
  const asked = await preflight(stack, '/api/v2/members', origin);
  expect([asked.status, corsOf(asked.headers)]).toEqual([405, {}]);
  const { status, headers } = await stack.rest('GET', '/api/v2/members', { as: key, headers: { origin } });
  expect([status, corsOf(headers)]).toEqual([200, {}]);
  expect(headers.get('vary')).toMatch(/^Origin, /);
});

test('without the setting no origin is allowed, and answers do not differ by origin', async () => {
  const asked = await preflight(closed, '/api/v2/members', shop);
  expect([asked.status, corsOf(asked.headers)]).toEqual([405, {}]);
  const { headers } = await closed.rest('GET', '/api/v2/members', { headers: { origin: shop } });
  expect([corsOf(headers), headers.get('vary')]).toEqual([{}, expect.not.stringContaining('Origin')]);
});
