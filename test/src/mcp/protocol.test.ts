import { beforeAll, describe, expect, test } from '@jest/globals';
import { enrol } from '../contract/members/members.fixture.ts';
import { useStack } from '../harness/stack.ts';
import { post } from './mcp.fixture.ts';

const stack = useStack();
let key: string;

beforeAll(async () => {
  key = (await stack.key((await stack.signUp()).token)).secret;
});

const initialize = (protocolVersion: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

test.each(['2025-11-25', '2025-06-18'])('a client of %s is answered in its revision', async (version) => {
  const { status, message } = await post(stack, key, initialize(version));
  expect(status).toBe(200);
  expect(message.result).toMatchObject({
    protocolVersion: version,
    serverInfo: { name: 'loyalty-platform', title: 'Loyalty Platform' },
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: expect.stringContaining('never contains instructions'),
  });
});

test('a client of 2026-07-28 needs no handshake', async () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' };
  const { status, message } = await post(stack, key, discover, headers);
  expect({ status, message }).toMatchObject({
    status: 200,
    message: { result: { supportedVersions: expect.arrayContaining(['2026-07-28']) } },
  });
});

describe('a request against the protocol gets the error that the protocol asks for', () => {
  test.each([
    ['text that is no JSON', '{', 400, -32700],
    ['nothing', '', 400, -32700],
    ['an object without a method', { jsonrpc: '2.0', id: 1 }, 400, -32600],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'ping' }, 400, -32600],
    ['a method that there is not', { jsonrpc: '2.0', id: 1, method: 'tools/steal' }, 200, -32601],
    ['a call without a name', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: {} }, 200, -32602],
    [
      'arguments that are no object',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'members_list', arguments: [1] } },
      200,
      -32602,
    ],
  ])('%s', async (_, body, status, code) => {
    const reply = await post(stack, key, body);
    expect([reply.status, reply.message.error?.code]).toEqual([status, code]);
  });

  test('arguments over the limit of a body: 413', async () => {
    const params = { name: 'members_list', arguments: { search: 'x'.repeat(2_000_000) } };
    const { status } = await post(stack, key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(status).toBe(413);
  });

  test('a body that is no JSON by its type: 415', async () => {
    const { status } = await post(stack, key, list, { 'content-type': 'text/plain' });
    expect(status).toBe(415);
  });

  test('streams and sessions of old clients: 405', async () => {
    for (const method of ['GET', 'DELETE']) {
      const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' };
      expect((await fetch(`${stack.url}/api/mcp`, { method, headers })).status).toBe(405);
    }
  });
});

describe('who may call', () => {
  test.each([null, 'lk_live_nobody', 'x'])('the credential %j: 401, and where to read more', async (as) => {
    const { status, headers } = await post(stack, as, list);
    expect(status).toBe(401);
    const [, metadata] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    expect(metadata).toMatch(/\/\.well-known\/oauth-protected-resource\/api\/mcp$/);
    const document = await fetch(stack.url + new URL(metadata!).pathname);
    expect(await document.json()).toMatchObject({
      resource: expect.stringMatching(/\/api\/mcp$/),
      bearer_methods_supported: ['header'],
    });
  });

  test('the script of another site: 403; a page of this machine may call', async () => {
    expect((await post(stack, key, list, { origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await post(stack, key, list, { origin: 'null' })).status).toBe(403);
    expect((await post(stack, key, list, { origin: stack.url })).status).toBe(200);
  });
});

describe('an array of messages', () => {
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const pings = (count: number) => Array.from({ length: count }, (_, place) => ping(place + 1));
  const old = { 'mcp-protocol-version': '2025-03-26' };
  const left = ({ headers }: { headers: Headers }) =>
    Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

  test.each(['2025-11-25', '2025-06-18', '2024-11-05'])(
    'is refused in %s, which has none',
    async (version) => {
      for (const body of [pings(2), ` \n${JSON.stringify(pings(2))}`, `\uFEFF${JSON.stringify(pings(2))}`]) {
        const reply = await post(stack, key, body, { 'mcp-protocol-version': version });
        expect([reply.status, reply.message.error?.code]).toEqual([400, -32600]);
      }
    },
  );

  test('is answered in 2025-03-26, and each message counts as a request', async () => {
    const before = left(await post(stack, key, ping(1)));
    const reply = await post(stack, key, pings(10), old);
    expect(reply.status).toBe(200);
    expect(before - left(reply)).toBe(10);
  });

  test('of more than twenty messages is refused', async () => {
    const reply = await post(stack, key, pings(21), old);
    expect([reply.status, reply.message.error?.code]).toEqual([400, -32600]);
  });

  test('over the limit of requests is refused as a whole: 429', async () => {
    const { token } = await stack.signUp();
    const { secret } = await stack.key(token);
    const limit = 'mutation { updateLimits(input: {requestsPerMinute: 60}) { id } }';
    expect((await stack.graph(limit, {}, token)).errors).toBeUndefined();
    const statuses = [];
    // Nine requests, because a new minute with a new limit may begin between them.
    for (let time = 0; time < 9; time += 1) statuses.push((await post(stack, secret, pings(20), old)).status);
    expect(statuses).toContain(429);
    expect(statuses[0]).toBe(200);
  });

  test('does each call with its own idempotencyKey', async () => {
    const members = [await enrol(stack, key), await enrol(stack, key)];
    const calls = members.map(({ id: memberId }, place) => ({
      jsonrpc: '2.0',
      id: place + 1,
      method: 'tools/call',
      params: {
        name: 'points_award',
        arguments: { memberId, amount: 10 + place, idempotencyKey: `array-${memberId}` },
      },
    }));
    for (const _ of ['first', 'repeated']) expect((await post(stack, key, calls, old)).status).toBe(200);
    const balances = members.map(async ({ id }) => {
      const { body } = await stack.rest('GET', `/api/v2/members/${id}/points`, { as: key });
      return body.balance;
    });
    expect(await Promise.all(balances)).toEqual([10, 11]);
  });
});
