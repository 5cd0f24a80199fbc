import { beforeAll, expect, test } from '@jest/globals';
import { DAY_MS, systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { enrol } from '../contract/members/members.fixture.ts';
import { useStack } from '../harness/stack.ts';
import { connect } from '../mcp/mcp.fixture.ts';
import { createAgent, eventsOf, readRun, runIn, typesOf } from './agents.fixture.ts';

const stack = useStack();
let token: string;
let reader: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  await stack.enable(token, 'agents');
  reader = (await stack.key(token, ['agents:read'])).secret;
});

async function runIdsOf(credential: string): Promise<string[]> {
  const { body } = await stack.rest('GET', '/api/app/agent-runs', { as: credential });
  return (body.runs as { runId: string }[]).map(({ runId }) => runId);
}

async function call(secret: string, name: string, args: Record<string, unknown>) {
  const client = await connect(stack, secret);
  const reply = await client.callTool({ name, arguments: args });
  await client.close();
  return reply;
}

test('the log of an external agent has the calls of its key; calls outside of its surface are marked', async () => {
  const { id: apiKeyId, secret } = await stack.key(token, ['members:read']);
  const mcpSurface = { tools: ['members_get'] };
  await createAgent(stack, token, { runtimeForm: 'MCP_EXTERNAL', apiKeyId, blueprint: { mcpSurface } });
  await call(secret, 'members_list', {});
  const [id] = await runIdsOf(reader);
  const run = await readRun(stack, reader, id!);
  expect(run.definition).toMatch(/^Agent /);
  expect(eventsOf(run, 'mcp_tool_call')).toEqual([
    {
      type: 'mcp_tool_call',
      tool: 'members_list',
      args: {},
      ok: true,
      result: 'outside of the surface of the definition',
    },
  ]);
});

test('without the module no call is mirrored, but calls are answered as usual', async () => {
  const other = await stack.signUp();
  const { secret } = await stack.key(other.token, ['members:read', 'agents:read']);
  expect((await call(secret, 'members_list', {})).isError).toBeFalsy();
  await stack.enable(other.token, 'agents');
  expect(await runIdsOf(secret)).toEqual([]);
});

test('logs are append-only, and another workspace finds none of them', async () => {
  const { secret } = await stack.key(token, ['members:read']);
  await call(secret, 'members_list', {});
  const [id] = await runIdsOf(reader);
  const { sql } = stack.services.database;
  for (const statement of [
    "UPDATE engagement.agent_run_events SET type = 'cost' WHERE run_id = $1",
    'DELETE FROM engagement.agent_run_events WHERE run_id = $1',
  ])
    await expect(sql.query(statement, [id])).rejects.toThrow(/append-only/);
  const other = await stack.signUp();
  await stack.enable(other.token, 'agents');
  const { secret: foreign } = await stack.key(other.token, ['agents:read']);
  const { status, headers } = await stack.rest('GET', `/api/app/agent-runs/${id}`, { as: foreign });
  expect([status, headers.get('x-error-code')]).toEqual([404, 'AGENT_RUN_NOT_FOUND']);
  const { secret: scopeless } = await stack.key(token, ['members:read']);
  expect((await stack.rest('GET', '/api/app/agent-runs', { as: scopeless })).status).toBe(403);
  for (const path of [`${id}x`, newId(systemClock)])
    expect((await stack.rest('GET', `/api/app/agent-runs/${path}`, { as: reader })).status).toBe(404);
  const list = await stack.rest('GET', '/api/app/agent-runs?limit=500', { as: reader });
  expect([list.status, list.headers.get('x-error-code')]).toEqual([400, 'VALIDATION_FAILED']);
});

// This test is the last one: it moves the clock, which ends sessions.
test('calls over MCP are mirrored into one run a day, which ends with the day', async () => {
  const own = await stack.signUp();
  await stack.enable(own.token, 'agents');
  const { secret: watcher } = await stack.key(own.token, ['members:write', 'agents:read']);
  const { id: memberId } = await enrol(stack, watcher);
  const { secret } = await stack.key(own.token, ['members:read', 'members:write']);
  await Promise.all([
    call(secret, 'members_get', { id: memberId }),
    call(secret, 'members_get', { id: newId(systemClock) }),
    call(secret, 'members_update', { id: memberId, fullName: 'MARIA' }),
  ]);
  const [id] = await runIdsOf(watcher);
  const run = await readRun(stack, watcher, id!);
  expect(run).toMatchObject({ definition: 'MCP', definitionVersion: 1, status: 'running' });
  expect(typesOf(run)).toEqual(['run_started', 'mcp_tool_call', 'mcp_tool_call', 'mcp_tool_call']);
  const calls = eventsOf(run, 'mcp_tool_call');
  expect(calls).toContainEqual({
    type: 'mcp_tool_call',
    tool: 'members_get',
    args: { id: expect.any(String) },
    ok: false,
    reason: 'MEMBER_NOT_FOUND',
  });
  expect(calls).toContainEqual({
    type: 'mcp_tool_call',
    tool: 'members_update',
    args: { id: memberId, fullName: '…' },
    ok: true,
  });

  await stack.work();
  stack.services.clock.advance(DAY_MS);
  const ended = await runIn(stack, watcher, id!, 'completed');
  expect(eventsOf(ended, 'business_outcome')).toEqual([
    { type: 'business_outcome', calls: 3, result: 'calls done: 2, failed: 1' },
  ]);
  expect(typesOf(ended).slice(-4)).toEqual(['action_result', 'business_outcome', 'cost', 'run_ended']);
  const before = await runIdsOf(watcher);
  await call(secret, 'members_get', { id: memberId });
  expect(await runIdsOf(watcher)).toHaveLength(before.length + 1);
});
