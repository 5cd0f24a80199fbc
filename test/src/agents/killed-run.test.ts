import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import { enrol } from '../contract/members/members.fixture.ts';
import { killed, useWorkers } from '../faults/bulk-workers.fixture.ts';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { balanceOf, createAgent, eventsOf, MODELS, runIn, startRun, typesOf } from './agents.fixture.ts';
import { type ScriptedModel, scriptedModel } from './scripted-model.fixture.ts';

const stack = useStack();
let model: ScriptedModel;
let token: string;
let reader: string;
let member: string;

beforeAll(async () => {
  model = await scriptedModel();
  stack.beforeClose(() => model.close());
  proxy = await startProxy();
  Object.assign(stack.services.config, { AGENT_MODEL_URL: model.url, AGENT_MODEL_PRICES: MODELS });
  ({ token } = await stack.signUp());
  await stack.enable(token, 'agents');
  reader = (await stack.key(token, ['members:read', 'members:write', 'agents:read'])).secret;
  member = (await enrol(stack, reader)).id;
});

/** The proxy between the workers and the product. */
let proxy: Awaited<ReturnType<typeof startProxy>>;

/** Starts a proxy that passes everything, keeps back the results of tool calls, or answers nothing. */
async function startProxy() {
  const kept = Promise.withResolvers<void>();
  const state = { url: '', passes: 'ALL' as 'ALL' | 'NO_RESULT' | 'NOTHING', kept: kept.promise };
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (state.passes === 'NOTHING') return void request.socket.destroy();
    const body = Buffer.concat(await request.toArray()).toString();
    const headers = Object.entries(request.headers)
      .filter(([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name))
      .map(([name, value]): [string, string] => [name, String(value)]);
    const { method = 'GET', url } = request;
    const answer = await fetch(`${stack.url}${url}`, {
      method,
      headers,
      ...(method === 'POST' && { body }),
    });
    const text = await answer.text();
    if (state.passes === 'NO_RESULT' && body.includes('"tools/call"')) return kept.resolve();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(text);
  }
  const server = createServer((request, response) => void pass(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.beforeClose(() => {
    server.closeAllConnections();
    server.close();
  });
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

const { worker, keep } = useWorkers(stack, () => ({
  GATEWAY_URL: proxy.url,
  AGENT_MODEL_URL: model.url,
  AGENT_MODEL_PRICES: 'small=1/2',
}));

test('a run whose worker is killed between a tool call and its result continues, and calls no tool twice', async () => {
  const { id: apiKeyId } = await stack.key(token, ['points:write', 'members:write']);
  const tools = [{ name: 'points_award', scope: 'points:write', needsApproval: false }];
  const agent = await createAgent(stack, token, { apiKeyId, blueprint: { tools } });
  const award = { memberId: member, amount: 25, description: 'Sorry for the wait' };
  model.script({ call: [['points_award', award]] }, { say: 'Done.' });
  const id = await startRun(stack, token, agent);

  proxy.passes = 'NO_RESULT';
  const first = await worker();
  await proxy.kept;
  await killed(first);
  proxy.passes = 'ALL';
  expect(await balanceOf(stack, reader, member)).toBe(25);
  const now = 'UPDATE engagement.agent_runs SET due_at = now() WHERE id = $1';
  await stack.services.database.sql.query(now, [id]);

  const second = await worker();
  const run = await runIn(stack, reader, id, 'completed', 'failed');
  keep(second);
  expect(run.status).toBe('completed');
  expect(await balanceOf(stack, reader, member)).toBe(25);
  expect(eventsOf(run, 'tool_called', 'tool_result').map(({ type, ok }) => [type, ok])).toEqual([
    ['tool_called', undefined],
    ['tool_result', true],
  ]);
  expect(run.events.map(({ seq }) => seq)).toEqual(run.events.map((_, index) => index + 1));
  expect(typesOf(run).at(-1)).toBe('run_ended');
}, 300_000);

test('a run waits while its tool calls get no answer, and then continues', async () => {
  const { id: apiKeyId } = await stack.key(token, ['members:read']);
  const tools = [{ name: 'members_get', scope: 'members:read' }];
  const agent = await createAgent(stack, token, { apiKeyId, blueprint: { tools } });
  model.script({ call: [['members_get', { id: member }]] }, { say: 'Here.' });
  proxy.passes = 'NOTHING';
  const id = await startRun(stack, token, agent);
  await worker();
  const { sql } = stack.services.database;
  const read = 'SELECT due_at > now() AS is_later, token FROM engagement.agent_runs WHERE id = $1';
  await eventually(async () => {
    const [row] = await sql.query<{ isLater: boolean; token: number }>(read, [id]);
    expect(row).toMatchObject({ isLater: true });
    expect(row!.token).toBeGreaterThan(1);
  });
  proxy.passes = 'ALL';
  await sql.query('UPDATE engagement.agent_runs SET due_at = now() WHERE id = $1', [id]);
  const run = await runIn(stack, reader, id, 'completed', 'failed');
  expect(run.status).toBe('completed');
  expect(eventsOf(run, 'permission_check').every(({ ok }) => ok)).toBe(true);
}, 300_000);
