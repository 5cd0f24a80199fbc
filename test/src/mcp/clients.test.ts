import { createMCPClient } from '@ai-sdk/mcp';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { mcp } from '@loyalty/rest-adapter/mcp/mcp';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { enrol } from '../contract/members/members.fixture.ts';
import { remoteAdapter } from '../contract/model/model.fixture.ts';
import { useStack } from '../harness/stack.ts';
import { connect, objectOf } from './mcp.fixture.ts';

const stack = useStack();
let token: string;
let key: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  key = (await stack.key(token)).secret;
});

test('the client of another vendor lists and calls the tools', async () => {
  const { id } = await enrol(stack, key);
  const client = await createMCPClient({
    transport: {
      type: 'http',
      url: `${stack.url}/api/mcp`,
      headers: { Authorization: `Bearer ${key}` },
    },
  });
  const tools = await client.tools();
  expect(Object.keys(tools)).toEqual(expect.arrayContaining(['points_award', 'points_balance']));
  const call = { toolCallId: '1', messages: [], context: {} };
  const awarded = await tools['points_award']!.execute({ memberId: id, amount: 12 }, call);
  expect(awarded).toMatchObject({ structuredContent: { balance: 12 } });
  const read = await tools['points_balance']!.execute({ memberId: id }, call);
  expect(read).toMatchObject({ structuredContent: { memberId: id, balance: 12 } });
  await client.close();
});

test('a client that asks for 2026-07-28 is served in it', async () => {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/api/mcp', stack.url), { requestInit }));
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  const { id } = await enrol(stack, key);
  const reply = await client.callTool({ name: 'points_award', arguments: { memberId: id, amount: 3 } });
  expect(objectOf(reply)).toMatchObject({ balance: 3 });
  await client.close();
});

describe('an adapter in a process of its own', () => {
  test('asks the graph what the caller may do', async () => {
    const adapter = await remoteAdapter(stack, mcp);
    const { secret } = await stack.key(token, ['members:read']);
    const client = await connect(adapter, secret);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toContain('members_get');
    expect(names).not.toContain('points_award');
    const { id } = await enrol(stack, key);
    const reply = await client.callTool({ name: 'members_get', arguments: { id } });
    expect(objectOf(reply)).toMatchObject({ id });
    await expect(connect(adapter, 'lk_live_nobody')).rejects.toThrow();
    await client.close();
    await adapter.close();
  });
});
