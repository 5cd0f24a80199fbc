import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ADDRESS_HEADER, verifyAddress } from '@loyalty/platform/identity/caller-token';
import { memberCookie } from '@loyalty/platform/identity/session-cookie';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { remoteGraph } from './remote-graph.ts';

const operation = { query: 'query Q { reply: tiers { id } }', operationName: 'Q', variables: { limit: 5 } };
const secrets = new Map([['a', randomBytes(32)]]);
const cookie = memberCookie({ isProduction: true, PUBLIC_URL: 'https://loyalty.example.com' });
let gateway: FastifyInstance;
let graph: ReturnType<typeof remoteGraph>;
let received: FastifyRequest;
beforeAll(async () => {
  gateway = fastify();
  gateway.get('/readyz', async () => ({ status: 'ready' }));
  gateway.post('/graphql', async (request, reply) => {
    received = request;
    const { operationName } = request.body as { operationName: string };
    if (operationName === 'Broken') return reply.status(502).type('text/html').send('<h1>Bad gateway</h1>');
    if (operationName === 'Slow') return new Promise(() => undefined);
    return reply
      .headers({ ratelimit: '"requests";r=1;t=60', 'x-powered-by': 'secret' })
      .send({ data: { reply: [] } });
  });
  graph = remoteGraph(await gateway.listen({ port: 0, host: '127.0.0.1' }), 300, secrets, cookie);
});
afterAll(async () => {
  await graph.close();
  gateway.server.closeAllConnections();
  await gateway.close();
});

const request = (headers: Record<string, string>, url = '/api/v2/tiers') =>
  ({
    headers,
    url,
    id: 'request-1',
    address: '203.0.113.7',
    routeOptions: {},
    log: { warn: () => undefined },
  }) as unknown as FastifyRequest;

test('the gateway gets selected headers, the signed address and the request id, nothing else', async () => {
  const sent = {
    authorization: 'Bearer k',
    'idempotency-key': 'order-1',
    'sec-gpc': '1',
    cookie: 'a=b',
    [ADDRESS_HEADER]: 'forged',
    'x-forwarded-for': '198.51.100.66',
    host: 'evil',
  };
  await graph.execute(operation, request(sent));
  expect(received.body).toEqual(operation);
  expect(received.headers).toMatchObject({
    authorization: 'Bearer k',
    'idempotency-key': 'order-1',
    'sec-gpc': '1',
    'x-request-id': 'request-1',
  });
  const token = received.headers[ADDRESS_HEADER] as string;
  expect(await verifyAddress(token, secrets)).toBe('203.0.113.7');
  expect(received.headers).not.toHaveProperty('x-forwarded-for');
  expect(received.headers).not.toHaveProperty('cookie');
  expect(received.headers.host).not.toBe('evil');
});

test('the gateway gets only the cookie of the member, and only from pages of our own origin', async () => {
  const pair = '__Host-loyalty-member=member.token';
  await graph.execute(
    operation,
    request({ cookie: `a=b; ${pair}; c=d`, origin: 'https://loyalty.example.com' }),
  );
  expect(received.headers).toMatchObject({ cookie: pair, 'sec-fetch-site': 'same-origin' });
  await graph.execute(operation, request({ cookie: pair, origin: 'https://evil.example' }));
  expect(received.headers).not.toHaveProperty('cookie');
});

test('the gateway gets the API version from the path, not from a header of the client', async () => {
  await graph.execute(operation, request({ 'x-loyalty-api': 'v2' }, '/api/v1/data'));
  expect(received.headers['x-loyalty-api']).toBe('v1');
  await graph.execute(operation, request({ 'x-loyalty-api': 'v1' }));
  expect(received.headers['x-loyalty-api']).toBe('v2');
});

test('the client gets the rate limit headers of the gateway, and no others', async () => {
  const { data, headers } = await graph.execute(operation, request({}));
  expect([data, headers]).toEqual([{ reply: [] }, { ratelimit: '"requests";r=1;t=60' }]);
});

test.each(['Broken', 'Slow'])('an answer that is %s is 503 with a retry delay', async (operationName) => {
  await expect(graph.execute({ ...operation, operationName }, request({}))).rejects.toMatchObject({
    category: 'UNAVAILABLE',
    code: 'GATEWAY_UNAVAILABLE',
    details: { retryAfterSeconds: 1 },
  });
});

test('the graph is ready if the gateway is ready, and not if the gateway is unreachable', async () => {
  expect(await graph.isReady()).toBe(true);
  const away = remoteGraph('http://127.0.0.1:1', 300, secrets, cookie);
  expect(await away.isReady()).toBe(false);
  await away.close();
});
