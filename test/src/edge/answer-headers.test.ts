import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { scorerServer } from '@loyalty/cli/serve/scorer-server';
import { workerServer } from '@loyalty/cli/serve/worker-server';
import { loyalty } from '@loyalty/loyalty-subgraph/subgraph';
import { subgraphServer } from '@loyalty/platform/graph/subgraph-server';
import { useStack } from '../harness/stack.ts';
import { startProcess } from '../processes/processes.ts';

const METRICS_TOKEN = 'a token of metrics';
const production = {
  isProduction: true,
  PUBLIC_URL: 'https://loyalty.example.com',
  METRICS_TOKEN,
  CORS_ORIGINS: ['https://shop.example.com'],
};
const stack = useStack({ settings: production });
const local = useStack();
let key: string;
beforeAll(async () => {
  key = (await stack.key((await stack.signUp()).token, ['members:read'])).secret;
});

const STRICT = ['nosniff', 'max-age=31536000'];
const of = (headers: Headers) =>
  ['x-content-type-options', 'strict-transport-security'].map((name) => headers.get(name));

/** Sends bytes that need not be HTTP; returns the answer. */
async function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(bytes);
  return text(socket);
}

const json = { 'content-type': 'application/json' };
const preflight = {
  method: 'OPTIONS',
  headers: { origin: 'https://shop.example.com', 'access-control-request-method': 'GET' },
};
const graph = (query: string) => ({ method: 'POST', headers: json, body: JSON.stringify({ query }) });
const rpc = (method: string) => ({
  method: 'POST',
  headers: {
    ...json,
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
});

describe('an answer forbids type sniffing, and in production it requires HTTPS', () => {
  test.each<[what: string, path: string, status: number, init?: RequestInit]>([
    ['a row of REST', '/api/v2/members', 200],
    ['a refusal of the model API', '/api/v1/data', 401],
    ['a refusal of REST', '/api/v2/orders', 403],
    ['an unknown id', '/api/v2/members/none', 404],
    ['an unknown path', '/nothing', 404],
    ['an unreadable path', '/api/v2/%zz', 404],
    ['another method', '/api/v2/members', 405, { method: 'PUT' }],
    ['a body that is no JSON', '/graphql', 400, { method: 'POST', headers: json, body: '{' }],
    ['a query', '/graphql', 200, graph('{ viewer { kind } }')],
    ['a query by GET', '/graphql?query=%7Bviewer%7Bkind%7D%7D', 200],
    ['a query that is refused', '/graphql', 403, graph('{ orders { totalCount } }')],
    ['a document that is invalid', '/graphql', 200, graph('{ nothing }')],
    ['tools over MCP', '/api/mcp', 200, rpc('tools/list')],
    ['an unknown method of MCP', '/api/mcp', 200, rpc('nothing')],
    ['a preflight', '/api/v2/members', 204, preflight],
    ['health', '/healthz', 200],
    ['readiness', '/readyz', 200],
    ['metrics that are refused', '/metrics', 401],
    ['OpenAPI', '/openapi/v2.json', 200],
    ['the documentation', '/docs/', 200],
    ['the reference', '/docs/rest', 200],
    ['the back office', '/app/', 200],
  ])('%s', async (_, path, status, init = {}) => {
    const headers = { 'x-api-key': key, ...(init.headers as Record<string, string>) };
    const answer = await fetch(`${stack.url}${path}`, { ...init, headers });
    expect([answer.status, of(answer.headers)]).toEqual([status, STRICT]);
    await answer.body?.cancel();
  });

  test('a stream of events', async () => {
    const { headers, body } = await fetch(`${stack.url}/graphql`, {
      ...graph('subscription { memberActivity(memberId: "x") { kind } }'),
      headers: { ...json, accept: 'text/event-stream', 'x-api-key': key },
    });
    expect([headers.get('content-type'), of(headers)]).toEqual(['text/event-stream; charset=utf-8', STRICT]);
    await body?.cancel();
  });

  test.each([
    ['a request that is not HTTP', 'nothing\r\n\r\n', 400],
    ['too large headers', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
  ])('%s', async (_, bytes, status) => {
    const answer = await sendRaw(stack.url, bytes);
    const [head, body] = answer.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/x-content-type-options: nosniff\r\nstrict-transport-security: max-age=31536000$/);
    expect(JSON.parse(body!)).toEqual({ error: expect.any(String) });
  });
});

test('every kind of process answers with these headers', async () => {
  const { services } = stack;
  const secrets = { current: 'x', previous: [] } as never;
  const servers = {
    subgraph: subgraphServer(loyalty, services, secrets),
    worker: workerServer(services),
    scorer: scorerServer({ secrets, log: services.log, config: services.config }),
  };
  for (const [kind, server] of Object.entries(servers))
    for (const [method, path] of [
      ['GET', '/healthz'],
      ['GET', '/nothing'],
      ['GET', '/%zz'],
      ['POST', '/graphql'],
    ] as const) {
      const { headers } = await server.inject({ method, url: path });
      const got = [headers['x-content-type-options'], headers['strict-transport-security']];
      expect([kind, path, ...got]).toEqual([kind, path, ...STRICT]);
    }
  await Promise.all(Object.values(servers).map((server) => server.close()));
});

test('a REST adapter in a process of its own answers with these headers', async () => {
  const adapter = await startProcess(['serve', 'rest-adapter'], { GATEWAY_URL: local.url });
  try {
    for (const path of ['/healthz', '/api/v2/members', '/nothing', '/%zz', '/openapi/v2.json']) {
      const { headers } = await fetch(`${adapter.url}${path}`);
      expect([path, ...of(headers)]).toEqual([path, 'nosniff', null]);
    }
  } finally {
    expect(await adapter.end()).toBe(0);
  }
});

test('outside of production, and where the address is plain HTTP, nothing asks for HTTPS', async () => {
  expect(of((await fetch(`${local.url}/healthz`)).headers)).toEqual(['nosniff', null]);
  const config = { ...stack.services.config, PUBLIC_URL: 'http://loyalty.internal' };
  const server = workerServer({ ...stack.services, config });
  const { headers } = await server.inject('/healthz');
  expect([headers['x-content-type-options'], headers['strict-transport-security']]).toEqual([
    'nosniff',
    undefined,
  ]);
  await server.close();
});
