import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import { enrol } from '../contract/members/members.given.ts';
import { killed, startedWorker } from '../faults/bulk-workers.given.ts';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { balanceOf, createAgent, eventsOf, MODELS, runIn, startRun, typesOf } from './agents.given.ts';
import { type ScriptedModel, scriptedModel } from './scripted-model.fixture.ts';

const stack = useStack();
let model: ScriptedModel;
let token: string;
let reader: string;
let member: string;

beforeAll(async () => {
  model = await scriptedModel();
  stack.beforeClose(() => model.close());
  Object.assign(stack.services.config, { AGENT_MODEL_URL: model.url, AGENT_MODEL_PRICES: MODELS });
  ({ token } = await stack.signUp());
  await stack.enable(token, 'agents');
  reader = (await stack.key(token, ['members:read', 'members:write', 'agents:read'])).secret;
  member = (await enrol(stack, reader)).id;
}, 60_000);

/** A worker in a process of its own, whose tools are at `gatewayUrl`. */
async function workerAt(gatewayUrl: string) {
  const { dataDir, masterKeys } = stack.services.config;
  const keys = masterKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');
  const settings = {
    GATEWAY_URL: gatewayUrl,
    AGENT_MODEL_URL: model.url,
    AGENT_MODEL_PRICES: 'small=1/2',
  };
  const place = { url: stack.services.url, masterKeys: keys, directory: dataDir, settings };
  const worker = await startedWorker(place);
  stack.beforeClose(() => killed(worker));
  return worker;
}

/** Passes everything on, but keeps the answer to the award of points for itself. */
async function silentAboutAwards() {
  const awarded = Promise.withResolvers<void>();
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
    if (body.includes('"tools/call"')) return awarded.resolve();
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
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, awarded: awarded.promise };
}

test('a run whose worker is killed between a call and its result goes on, and does nothing twice', async () => {
  const { id: apiKeyId } = await stack.key(token, ['points:write', 'members:write']);
  const tools = [{ name: 'points_award', scope: 'points:write', needsApproval: false }];
  const agent = await createAgent(stack, token, { apiKeyId, blueprint: { tools } });
  const award = { memberId: member, amount: 25, description: 'Sorry for the wait' };
  model.script({ call: [['points_award', award]] }, { say: 'Done.' });
  const id = await startRun(stack, token, agent);

  const proxy = await silentAboutAwards();
  const first = await workerAt(proxy.url);
  await proxy.awarded;
  await killed(first);
  expect(await balanceOf(stack, reader, member)).toBe(25);
  const now = 'UPDATE engagement.agent_runs SET due_at = now() WHERE id = $1';
  await stack.services.database.sql.query(now, [id]);

  const second = await workerAt(stack.url);
  const run = await runIn(stack, reader, id, 'completed', 'failed');
  await killed(second);
  expect(run.status).toBe('completed');
  expect(await balanceOf(stack, reader, member)).toBe(25);
  expect(eventsOf(run, 'tool_called', 'tool_result').map(({ type, ok }) => [type, ok])).toEqual([
    ['tool_called', undefined],
    ['tool_result', true],
  ]);
  expect(run.events.map(({ seq }) => seq)).toEqual(run.events.map((_, index) => index + 1));
  expect(typesOf(run).at(-1)).toBe('run_ended');
}, 300_000);

test('a run waits while nobody answers to its calls, and then goes on', async () => {
  const { id: apiKeyId } = await stack.key(token, ['members:read']);
  const tools = [{ name: 'members_get', scope: 'members:read' }];
  const agent = await createAgent(stack, token, { apiKeyId, blueprint: { tools } });
  model.script({ call: [['members_get', { id: member }]] }, { say: 'Here.' });
  const id = await startRun(stack, token, agent);
  const lost = await workerAt('http://127.0.0.1:9');
  const { sql } = stack.services.database;
  const read = 'SELECT due_at > now() AS "isLater", token FROM engagement.agent_runs WHERE id = $1';
  await eventually(async () => {
    const [row] = await sql.query<{ isLater: boolean; token: number }>(read, [id]);
    expect(row).toMatchObject({ isLater: true });
    expect(row!.token).toBeGreaterThan(1);
  });
  await killed(lost);
  await sql.query('UPDATE engagement.agent_runs SET due_at = now() WHERE id = $1', [id]);
  await workerAt(stack.url);
  const run = await runIn(stack, reader, id, 'completed', 'failed');
  expect(run.status).toBe('completed');
  expect(eventsOf(run, 'permission_check').every(({ ok }) => ok)).toBe(true);
}, 300_000);
