import { beforeAll, describe, expect, test } from '@jest/globals';
import { eraseAgentRunsJob } from '@loyalty/engagement-subgraph/agent-runs/agent-runs.jobs';
import { systemCaller } from '@loyalty/platform/base/caller';
import { createContext } from '@loyalty/platform/database/create-context';
import { enrol } from '../contract/members/members.fixture.ts';
import { eventually } from '../harness/eventually.ts';
import { useStack } from '../harness/stack.ts';
import { watch } from '../harness/watch.ts';
import {
  balanceOf,
  createAgent,
  eventsOf,
  MODELS,
  readRun,
  runIn,
  START,
  startRun,
  typesOf,
} from './agents.fixture.ts';
import { type ScriptedModel, scriptedModel } from './scripted-model.fixture.ts';

const stack = useStack();
let model: ScriptedModel;
let token: string;
let workspaceId: string;
let reader: string;
let member: string;

beforeAll(async () => {
  model = await scriptedModel();
  stack.beforeClose(() => model.close());
  const { config } = stack.services;
  Object.assign(config, {
    AGENT_MODEL_URL: model.url,
    AGENT_MODEL_PRICES: MODELS,
    AGENT_MODEL_TIMEOUT_MS: 400,
  });
  await stack.work();
  ({ token, workspaceId } = await stack.signUp());
  await stack.enable(token, 'agents');
  reader = (await stack.key(token, ['members:read', 'members:write', 'agents:read'])).secret;
  member = (await enrol(stack, reader)).id;
});

/** An agent that acts with a key of these scopes. */
async function agentWith(
  scopes: readonly string[],
  tools: readonly (readonly [name: string, scope: string, needsApproval?: boolean])[],
  blueprint: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { id: apiKeyId } = await stack.key(token, scopes);
  const named = tools.map(([name, scope, needsApproval]) => ({
    name,
    scope,
    ...(needsApproval !== undefined && { needsApproval }),
  }));
  return createAgent(stack, token, { apiKeyId, blueprint: { tools: named, ...blueprint } });
}

const ended = (id: string) => runIn(stack, reader, id, 'completed', 'failed', 'escalated', 'cancelled');

describe('a run of a server_orchestrator', () => {
  test('is logged from its start to its end, and read over REST, graph and subscription', async () => {
    const agent = await agentWith(
      ['members:read', 'introspection:read', 'webhooks:manage'],
      [['points_balance', 'members:read']],
      { contextSources: ['loyalty://events'] },
    );
    model.script({ call: [['points_balance', { memberId: member }]] }, { say: 'The balance is 0.' });
    const id = await startRun(stack, token, agent);
    const live = await watch(
      stack.url,
      { query: `subscription { agentRunChanged(id: "${id}") { status answer } }` },
      token,
    );
    const run = await ended(id);
    expect(typesOf(run)).toEqual([
      'run_started',
      'user_intent',
      'context_loaded',
      'model_selected',
      'prompt_assembled',
      'reasoning',
      'permission_check',
      'tool_called',
      'tool_result',
      'reasoning',
      'action_result',
      'business_outcome',
      'cost',
      'run_ended',
    ]);
    expect(run.events.map(({ seq }) => seq)).toEqual(run.events.map((_, index) => index + 1));
    expect(run.events.every((event) => event['runId'] === id && event['definitionVersion'] === 1)).toBe(true);
    expect(eventsOf(run, 'context_loaded', 'tool_called')).toEqual([
      { type: 'context_loaded', sources: ['loyalty://events'], ok: true },
      { type: 'tool_called', tool: 'points_balance', args: { memberId: member } },
    ]);
    expect(run).toMatchObject({ status: 'completed', outcome: 'done', total: run.events.length });
    expect(run.tokens).toBeGreaterThan(0);
    expect(eventsOf(run, 'cost')).toEqual([{ type: 'cost', tokens: run.tokens, usd: run.usd }]);
    const { body } = await stack.rest('GET', '/api/app/agent-runs?limit=1', { as: reader });
    expect(body).toMatchObject({ runs: [{ runId: id, status: 'completed', tokens: run.tokens }] });
    await eventually(() =>
      expect(live.results.at(-1)).toEqual({
        data: { agentRunChanged: { status: 'COMPLETED', answer: 'The balance is 0.' } },
      }),
    );
    await live.stop();
  });

  test('has a prompt that marks data, and can call only the tools that its key may use', async () => {
    const agent = await agentWith(
      ['members:read'],
      [
        ['members_get', 'members:read'],
        ['points_award', 'points:write', false],
      ],
    );
    model.script(
      { call: [['points_award', { memberId: member, amount: 5, description: 'gift' }]] },
      {
        call: [
          ['coupons_list', {}],
          ['members_get', '{"id"'],
          ['no such tool!', {}],
        ],
      },
      { say: 'I could not.' },
    );
    const run = await ended(await startRun(stack, token, agent));
    expect(run.status).toBe('completed');
    expect(eventsOf(run, 'permission_check')).toEqual([
      { type: 'permission_check', tool: 'points_award', ok: false, reason: 'TOOL_NOT_ALLOWED' },
      { type: 'permission_check', tool: 'coupons_list', ok: false, reason: 'TOOL_NOT_IN_DEFINITION' },
      { type: 'permission_check', tool: 'members_get', ok: false, reason: 'ARGUMENTS_INVALID' },
      { type: 'permission_check', tool: 'unknown', ok: false, reason: 'TOOL_NOT_IN_DEFINITION' },
    ]);
    expect(eventsOf(run, 'tool_called')).toEqual([]);
    expect(model.asked[0]!.tools!.map((tool) => tool.function.name)).toEqual(['members_get']);
    expect(model.asked[0]!.messages[0]!.content).toMatch(/never contains instructions/);
    expect(await balanceOf(stack, reader, member)).toBe(0);
  });

  test('fails when its key was revoked before it started', async () => {
    const { id: apiKeyId } = await stack.key(token, ['members:read']);
    const tools = [{ name: 'members_get', scope: 'members:read' }];
    const agent = await createAgent(stack, token, { apiKeyId, blueprint: { tools } });
    const revoke = 'mutation ($id: ID!) { revokeApiKey(id: $id) { id } }';
    expect((await stack.graph(revoke, { id: apiKeyId }, token)).errors).toBeUndefined();
    model.script({ call: [['members_get', { id: member }]] }, { say: 'done' });
    const run = await ended(await startRun(stack, token, agent));
    expect(run).toMatchObject({ status: 'failed' });
    expect(eventsOf(run, 'permission_check')).toEqual([
      { type: 'permission_check', ok: false, reason: 'CREDENTIAL_INVALID' },
    ]);
  });

  test.each([
    ['STEPS', { maxSteps: 3 }],
    ['TOKENS', { maxSteps: 50, budget: { tokens: 2_000 } }],
    ['USD', { maxSteps: 50, budget: { usd: 0.003 } }],
  ])('is stopped by its limit of %s and handed to a person', async (reason, loopPolicy) => {
    const agent = await agentWith(['members:read'], [['members_get', 'members:read']], { loopPolicy });
    model.script({ call: [['members_get', { id: member }]], tokens: 300 });
    const run = await ended(await startRun(stack, token, agent));
    expect(run).toMatchObject({ status: 'escalated', outcome: `limit: ${reason}` });
    expect(eventsOf(run, 'limit_reached')).toEqual([{ type: 'limit_reached', reason }]);
    if (reason === 'STEPS') expect(eventsOf(run, 'reasoning', 'tool_called')).toHaveLength(3);
    if (reason === 'TOKENS') expect(run.tokens).toBeLessThanOrEqual(2_000);
    if (reason === 'USD') expect(run.usd).toBeLessThanOrEqual(0.003);
  });
});

describe('a tool that changes something', () => {
  const APPROVE = `mutation ($id: ID!, $seq: Int!, $isApproved: Boolean!) {
    approveAgentStep(id: $id, seq: $seq, isApproved: $isApproved) { status } }`;
  const WAITING = 'query ($id: ID!) { agentRun(id: $id) { approval { seq tool args } } }';
  type Waiting = { agentRun: { approval: { seq: number; tool: string; args: object } } };

  async function waitingRun(amount: number) {
    const agent = await agentWith(['points:write', 'members:write'], [['points_award', 'points:write']]);
    const args = { memberId: member, amount, description: 'A gift for Maria' };
    model.script({ call: [['points_award', args]] }, { say: 'Over.' });
    const id = await startRun(stack, token, agent);
    const waiting = await runIn(stack, reader, id, 'waiting_for_approval');
    const { data } = await stack.graph<Waiting>(WAITING, { id }, token);
    expect(data.agentRun.approval).toMatchObject({ tool: 'points_award', args });
    return { id, seq: data.agentRun.approval.seq, waiting };
  }

  test('waits for the decision of a person; the first decision counts, and the tool is called once', async () => {
    const before = await balanceOf(stack, reader, member);
    const { id, seq, waiting } = await waitingRun(7);
    expect(JSON.stringify(waiting)).not.toContain('Maria');
    expect(await balanceOf(stack, reader, member)).toBe(before);
    const decide = (isApproved: boolean) => stack.graph(APPROVE, { id, seq, isApproved }, token);
    const answers = await Promise.all([decide(true), decide(true), decide(false)]);
    const refused = answers.filter(({ errors }) => errors);
    expect(refused.map(({ errors }) => errors![0]!.extensions['reason'])).toEqual([
      'APPROVAL_STALE',
      'APPROVAL_STALE',
    ]);
    const run = await ended(id);
    expect(run.status).toBe('completed');
    expect(eventsOf(run, 'approval_requested', 'approval_decided')).toHaveLength(2);
    const [decided] = eventsOf(run, 'approval_decided');
    expect(await balanceOf(stack, reader, member)).toBe(before + (decided!['ok'] ? 7 : 0));
  });

  test('is not called when it is rejected', async () => {
    const before = await balanceOf(stack, reader, member);
    const { id, seq } = await waitingRun(9);
    await stack.graph(APPROVE, { id, seq, isApproved: false }, token);
    const run = await ended(id);
    expect(run.status).toBe('completed');
    expect(model.asked.at(-1)!.messages.at(-1)!.content).toMatch(/^Rejected/);
    expect(await balanceOf(stack, reader, member)).toBe(before);
  });

  test('is never called after the run was cancelled, and an API key cannot approve it', async () => {
    const { id, seq } = await waitingRun(11);
    const byKey = await stack.graph(APPROVE, { id, seq, isApproved: true }, reader);
    expect(byKey.errors![0]!.extensions['code']).toBe('FORBIDDEN');
    const cancel = 'mutation ($id: ID!) { cancelAgentRun(id: $id) { status } }';
    const { data } = await stack.graph(cancel, { id }, token);
    expect(data).toEqual({ cancelAgentRun: { status: 'CANCELLED' } });
    const late = await stack.graph(APPROVE, { id, seq, isApproved: true }, token);
    expect(late.errors![0]!.extensions['reason']).toBe('APPROVAL_STALE');
    expect((await stack.graph(cancel, { id }, token)).errors![0]!.extensions['reason']).toBe(
      'AGENT_RUN_ENDED',
    );
    expect(typesOf(await readRun(stack, reader, id)).at(-1)).toBe('run_ended');
  });
});

describe('skills', () => {
  test('narrow the tools, and verify the answer', async () => {
    const skills = [
      {
        name: 'balance',
        trigger: 'Somebody asks for points.',
        tools: ['points_balance'],
        verifiers: [
          { rule: 'tool_called', tool: 'points_balance' },
          { rule: 'answer_contains', text: 'points' },
        ],
      },
    ];
    const agent = await agentWith(
      ['members:read'],
      [
        ['points_balance', 'members:read'],
        ['members_get', 'members:read'],
      ],
      { skills },
    );
    model.script(
      { say: 'About 12 points.' },
      {
        call: [
          ['members_get', { id: member }],
          ['points_balance', { memberId: member }],
        ],
      },
      { say: 'It has points.' },
    );
    const run = await ended(await startRun(stack, token, agent, { skill: 'balance' }));
    expect(run.status).toBe('completed');
    expect(eventsOf(run, 'answer_checked').map(({ ok }) => ok)).toEqual([false, true]);
    expect(eventsOf(run, 'permission_check').map(({ tool, ok, reason }) => [tool, ok, reason])).toEqual([
      ['members_get', false, 'TOOL_NOT_IN_SKILL'],
      ['points_balance', true, undefined],
    ]);
    const input = { agentId: agent, intent: 'x', skill: 'other' };
    const { errors } = await stack.graph(START, { input }, token);
    expect(errors![0]!.extensions).toMatchObject({ reason: 'VALIDATION_FAILED', field: 'input.skill' });
  });
});

// This test is the last one: after a run has ended, the worker may still ask the model for a moment.
test('the data of a member in runs is erased with the member', async () => {
  const { id: gone } = await enrol(stack, reader);
  const agent = await agentWith(['members:read'], [['members_get', 'members:read']]);
  model.script({ call: [['members_get', { id: gone }]] }, { say: 'It is Maria.' });
  const done = await startRun(stack, token, agent);
  await ended(done);
  // The id of the member in the intent is enough to find the run; no tool is called.
  model.script({ say: 'Nothing to do.' });
  const named = await startRun(stack, token, agent, { intent: `Greet Maria (${gone}), born in May.` });
  expect(eventsOf(await ended(named), 'user_intent')).toEqual([
    { type: 'user_intent', intent: `Greet Maria (${gone}), born in May.` },
  ]);
  model.script({ call: [['members_get', { id: gone }]] }, { act: () => undefined });
  const underWay = await startRun(stack, token, agent);
  await eventually(() => expect(model.asked).toHaveLength(2));
  const { id: stays } = await enrol(stack, reader);
  const other = await startRun(stack, token, agent, { intent: `Greet ${stays}.` });
  const caller = systemCaller('test', { workspaceId, mode: 'LIVE' });
  const ctx = createContext(stack.services, { caller, requestId: 'test' });
  await eraseAgentRunsJob.run(ctx, { memberId: gone });
  const stopped = await ended(underWay);
  expect(stopped).toMatchObject({ status: 'failed', outcome: 'a member whom it was about was erased' });
  const answer = 'query ($id: ID!) { agentRun(id: $id) { answer } }';
  expect((await stack.graph(answer, { id: done }, token)).data).toEqual({ agentRun: { answer: null } });
  for (const id of [done, named, underWay]) {
    const run = await readRun(stack, reader, id);
    expect(eventsOf(run, 'user_intent')).toEqual([{ type: 'user_intent' }]);
    expect(JSON.stringify(run.events)).not.toContain(gone);
  }
  expect(eventsOf(await readRun(stack, reader, other), 'user_intent')).toEqual([
    { type: 'user_intent', intent: `Greet ${stays}.` },
  ]);
});
