import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { rows } from '@loyalty/rest-adapter/table/rows';
import type { Client } from '@modelcontextprotocol/client';
import { enrol } from '../contract/members/members.fixture.ts';
import { useStack } from '../harness/stack.ts';
import { connect, objectOf, post } from './mcp.fixture.ts';

const stack = useStack();
let token: string;
let key: string;
let client: Client;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
  client = await connect(stack, key);
  stack.beforeClose(() => client.close());
});

const namesFor = async (credential: string): Promise<string[]> => {
  const other = await connect(stack, credential);
  const { tools } = await other.listTools();
  await other.close();
  return tools.map(({ name }) => name);
};

describe('tools/list', () => {
  test('a key sees the tools of its scopes, and no others', async () => {
    const { secret } = await stack.key(token, ['members:read']);
    expect(await namesFor(secret)).toEqual(
      expect.arrayContaining(['members_list', 'members_get', 'points_balance', 'tier_get']),
    );
    expect(await namesFor(secret)).not.toEqual(expect.arrayContaining(['points_award']));
    expect((await namesFor(key)).filter((name) => name.startsWith('points'))).toEqual([
      'points_award',
      'points_balance',
    ]);
  });

  test('a tool of a module appears when the module is enabled', async () => {
    const tenant = await stack.signUp();
    const { secret } = await stack.key(tenant.token, ['metrics:read']);
    expect(await namesFor(secret)).not.toContain('tracking_stats');
    await stack.enable(tenant.token, 'tracking');
    expect(await namesFor(secret)).toContain('tracking_stats');
  });

  test('tools say what they change, and name every argument', async () => {
    const { tools } = await client.listTools();
    const named = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
    expect(named['members_get']!.annotations).toEqual({ readOnlyHint: true });
    expect(named['points_award']!.annotations).toEqual({ destructiveHint: false });
    expect(named['coupon_redeem']!.annotations).toEqual({});
    expect(named['members_update']!.annotations).toEqual({ destructiveHint: false, idempotentHint: true });
    expect(named['points_award']!.inputSchema).toEqual({
      type: 'object',
      properties: {
        memberId: { type: 'string', format: 'uuid', description: expect.stringMatching(/^[^.]+\.$/) },
        amount: { type: 'integer', minimum: 1, description: expect.stringContaining('Default') },
        description: { type: 'string', description: 'At most 500 characters.' },
        idempotencyKey: { type: 'string' },
      },
      required: ['memberId', 'amount'],
    });
    const argument = (tool: string, name: string) => named[tool]!.inputSchema.properties![name];
    expect(argument('members_update', 'fullName')).toMatchObject({ type: ['string', 'null'] });
    expect(argument('members_create', 'fullName')).toMatchObject({ type: 'string' });
    expect(argument('orders_create', 'total')).toEqual({ type: 'integer', description: expect.any(String) });
    expect(argument('orders_create', 'status')).toMatchObject({ enum: expect.not.arrayContaining([null]) });
    expect(argument('orders_create', 'items')).toMatchObject({ items: { $ref: '#/$defs/OrderItemInput' } });
    for (const { inputSchema, description, name } of tools) {
      expect(JSON.stringify(inputSchema)).not.toContain('#/components/');
      expect([name, description]).toEqual([name, expect.stringMatching(/\S{3,}/)]);
    }
  });

  test('all tools of an owner with all modules are one page of at most 30 kB; one is for members only', async () => {
    const owner = await stack.signUp();
    const { data } = await stack.graph('{ modules { key } }', {}, owner.token);
    for (const { key: module } of data['modules'] as unknown as { key: string }[])
      await stack.enable(owner.token, module);
    const { message } = await post(stack, owner.token, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const { tools, nextCursor } = message.result;
    const listed = new Set(tools.map(({ name }: { name: string }) => name));
    const others = rows.flatMap(({ tool }) => (tool && !listed.has(tool.name) ? [tool.name] : []));
    expect([others, nextCursor]).toEqual([['stores_nearby'], undefined]);
    expect(JSON.stringify(message).length).toBeLessThanOrEqual(30 * 1024);
  });

  test('a cursor is refused, because no page has one', async () => {
    const wrong = { jsonrpc: '2.0', id: 3, method: 'tools/list', params: { cursor: 'x' } };
    expect((await post(stack, token, wrong)).message.error).toMatchObject({ code: -32602 });
  });
});

describe('tools/call', () => {
  test('points are awarded and read, as REST does it', async () => {
    const { id } = await enrol(stack, key);
    const award = await client.callTool({ name: 'points_award', arguments: { memberId: id, amount: 30 } });
    expect(award.isError).toBeFalsy();
    expect(objectOf(award)).toEqual({ transactionId: expect.any(String), balance: 30 });
    const read = await client.callTool({ name: 'points_balance', arguments: { memberId: id, limit: 5 } });
    const { body } = await stack.rest('GET', `/api/v2/members/${id}/points?limit=5`, { as: key });
    expect(objectOf(read)).toEqual(body);
    expect(read.content).toEqual([{ type: 'text', text: JSON.stringify(body) }]);
  });

  test('a call that is repeated with its idempotencyKey is done once', async () => {
    const { id } = await enrol(stack, key);
    const call = {
      name: 'points_award',
      arguments: { memberId: id, amount: 7, idempotencyKey: `mcp-${id}` },
    };
    const replies = [await client.callTool(call), await client.callTool(call)];
    expect(replies.map(objectOf)).toEqual([objectOf(replies[0]!), objectOf(replies[0]!)]);
    const { body } = await stack.rest('GET', `/api/v2/members/${id}/points`, { as: key });
    expect(body.balance).toBe(7);
  });

  test.each([
    [{ amount: 5 }, { code: 'VALIDATION_FAILED', field: 'memberId' }],
    [{ memberId: 'x', amount: 5 }, { code: 'MEMBER_NOT_FOUND' }],
    [{ memberId: newId(systemClock), amount: 5 }, { code: 'MEMBER_NOT_FOUND' }],
    [
      { memberId: newId(systemClock), amount: -5 },
      { code: 'VALIDATION_FAILED', field: 'amount' },
    ],
    [
      { memberId: newId(systemClock), amount: '5' },
      { code: 'VALIDATION_FAILED', field: 'amount' },
    ],
    [
      { memberId: newId(systemClock), amount: 5, sum: 6 },
      { code: 'UNKNOWN_FIELD', field: 'sum' },
    ],
    [
      { memberId: newId(systemClock), amount: 5, wait: true },
      { code: 'VALIDATION_FAILED', field: 'wait' },
    ],
    [{ memberId: newId(systemClock), amount: 5, idempotencyKey: 5 }, { field: 'idempotencyKey' }],
    [
      { memberId: ['a'], amount: 5 },
      { code: 'VALIDATION_FAILED', field: 'memberId' },
    ],
  ])('%j is refused with a result that names the field, and changes nothing', async (args, error) => {
    const reply = await client.callTool({ name: 'points_award', arguments: args });
    expect(reply.isError).toBe(true);
    const [content] = reply.content as unknown as [{ text: string }];
    expect(JSON.parse(content.text)).toEqual({ error: expect.objectContaining(error) });
  });

  test.each([
    ['segments_list', 'SCOPE_MISSING', 'segments:read'],
    ['message_send', 'SCOPE_MISSING', 'transactional:send'],
    ['stores_nearby', 'MEMBER_SESSION_REQUIRED', 'signed-in member'],
  ])('a call of %s, which is not listed, says what the key lacks', async (name, code, missing) => {
    const reply = await client.callTool({ name, arguments: {} });
    expect(reply.isError).toBe(true);
    const [content] = reply.content as unknown as [{ text: string }];
    expect(JSON.parse(content.text)).toEqual({ error: { code, message: expect.stringContaining(missing) } });
  });

  test('a call of a tool whose module is off names the module', async () => {
    const { secret } = await stack.key(token, ['metrics:read']);
    const other = await connect(stack, secret);
    const reply = await other.callTool({ name: 'tracking_stats', arguments: {} });
    await other.close();
    expect(JSON.stringify(reply.content)).toMatch(/MODULE_DISABLED.*tracking/);
  });

  test.each(['points_steal', 'constructor', ''])(
    'a tool that does not exist is unknown: %j',
    async (name) => {
      await expect(client.callTool({ name, arguments: {} })).rejects.toMatchObject({ code: -32602 });
    },
  );

  test('members of other workspaces are not found', async () => {
    const { id } = await enrol(stack, key);
    const stranger = await connect(stack, (await stack.key((await stack.signUp()).token)).secret);
    const reply = await stranger.callTool({ name: 'members_get', arguments: { id } });
    expect(reply.isError).toBe(true);
    expect(JSON.stringify(reply.content)).toContain('MEMBER_NOT_FOUND');
    await stranger.close();
  });

  test('filters of objects are an argument; each field is a text', async () => {
    await stack.enable(token, 'custom_objects');
    const reply = await client.callTool({
      name: 'object_records_list',
      arguments: { type: 'bike', filters: { status: 5 } },
    });
    expect(JSON.stringify(reply.content)).toContain('filters.status must be a string');
  });
});

test('calls are in the call log and in the metrics under the name of the tool', async () => {
  const { id } = await stack.key(token, ['members:read']);
  const { secret } = await stack.key(token, ['members:read']);
  const other = await connect(stack, secret);
  await other.callTool({ name: 'members_list', arguments: {} });
  await other.close();
  const metrics = await (await fetch(`${stack.url}/metrics`)).text();
  expect(metrics).toMatch(
    /loyalty_request_seconds_count\{channel="mcp",operation="MCP members_list",status="2/,
  );
  expect(id).toBeTruthy();
});
