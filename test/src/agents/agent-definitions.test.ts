import { beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '@loyalty/platform/base/clock';
import { newId } from '@loyalty/platform/base/ids';
import { useStack } from '../harness/stack.ts';
import { agentInput, CREATE, createAgent, type GivenAgent, START } from './agents.fixture.ts';

const stack = useStack();
let token: string;
let apiKeyId: string;

beforeAll(async () => {
  ({ token } = await stack.signUp());
  await stack.enable(token, 'agents');
  ({ id: apiKeyId } = await stack.key(token, ['members:read']));
});

const UPDATE = `mutation ($id: ID!, $input: UpdateAgentInput!) {
  updateAgent(id: $id, input: $input) { version { number blueprint } } }`;
const READ = `query ($id: ID!) { agent(id: $id) { name archivedAt version { number }
  versions(first: 1) { totalCount nodes { number apiKeyId blueprint } } } }`;

const change = ({ name: _, ...input }: ReturnType<typeof agentInput>, baseVersion: number) => ({
  ...input,
  baseVersion,
});

async function refusalOf(query: string, variables: object, credential = token) {
  const { errors } = await stack.graph(query, variables, credential);
  const { reason, field } = errors![0]!.extensions;
  return field === undefined ? reason : [reason, field];
}

test('a change makes a new version, and only from the latest one; versions never change', async () => {
  const id = await createAgent(stack, token);
  const second = change(agentInput({ apiKeyId, blueprint: { instructions: 'Be brief.' } }), 1);
  const { data } = await stack.graph(UPDATE, { id, input: second }, token);
  expect(data).toMatchObject({
    updateAgent: {
      version: { number: 2, blueprint: { instructions: 'Be brief.', memory: { messages: 100 } } },
    },
  });
  expect(await refusalOf(UPDATE, { id, input: second })).toBe('AGENT_CHANGED');
  const both = await Promise.all(
    [3, 4].map(() => stack.graph(UPDATE, { id, input: { ...second, baseVersion: 2 } }, token)),
  );
  expect(both.filter(({ errors }) => errors)).toHaveLength(1);
  expect((await stack.graph(READ, { id }, token)).data).toMatchObject({
    agent: { version: { number: 3 }, versions: { totalCount: 3, nodes: [{ number: 3, apiKeyId }] } },
  });
  const sql = 'UPDATE engagement.agent_definition_versions SET number = 9 WHERE definition_id = $1';
  await expect(stack.services.database.sql.query(sql, [id])).rejects.toThrow(/append-only/);
});

test('an archived agent cannot be started until it is restored', async () => {
  const id = await createAgent(stack, token);
  const archive =
    'mutation ($id: ID!, $isArchived: Boolean!) { archiveAgent(id: $id, isArchived: $isArchived) { id } }';
  await stack.graph(archive, { id, isArchived: true }, token);
  const start = { input: { agentId: id, intent: 'Go.' } };
  expect(await refusalOf(START, start)).toBe('AGENT_ARCHIVED');
  await stack.graph(archive, { id, isArchived: false }, token);
  expect(await refusalOf(START, start)).toBe('AGENT_MODEL_MISSING');
});

describe('bad input changes nothing', () => {
  const tool = { name: 'members_get', scope: 'members:read' };
  const refusals: readonly (readonly [string, GivenAgent, string])[] = [
    [
      'a blueprint without instructions',
      { blueprint: { instructions: ' ' } },
      'input.blueprint.instructions',
    ],
    ['a field that is not known', { blueprint: { grants: ['*'] } }, 'input.blueprint.grants'],
    [
      'a tool without a scope',
      { blueprint: { tools: [{ name: 'members_get' }] } },
      'input.blueprint.tools[0].scope',
    ],
    ['a tool named twice', { blueprint: { tools: [tool, tool] } }, 'input.blueprint.tools'],
    [
      'a skill with a tool that the agent has not',
      { blueprint: { skills: [{ name: 'a', trigger: 'b', tools: ['tier_get'] }] } },
      'input.blueprint.skills[0].tools[0]',
    ],
    ['no model', { blueprint: { modelRouting: [] } }, 'input.blueprint.modelRouting'],
    ['tools without a key', { blueprint: { tools: [tool] } }, 'input.apiKeyId'],
    [
      'steps without end',
      { blueprint: { loopPolicy: { maxSteps: 1_000 } } },
      'input.blueprint.loopPolicy.maxSteps',
    ],
    [
      'a resource elsewhere',
      { blueprint: { contextSources: ['https://x.test/'] } },
      'input.blueprint.contextSources[0]',
    ],
    [
      'an inline_function with tools',
      { runtimeForm: 'INLINE_FUNCTION', blueprint: { tools: [tool] } },
      'input.blueprint.tools',
    ],
  ];
  test.each(refusals)('%s', async (_, given, field) => {
    expect(await refusalOf(CREATE, { input: agentInput(given) })).toEqual(['VALIDATION_FAILED', field]);
  });

  test('a key of another workspace, of test mode or a revoked one', async () => {
    const other = await stack.signUp();
    const foreign = await stack.key(other.token, ['members:read']);
    const ofTests = await stack.key(token, ['members:read'], 'TEST');
    const revoked = await stack.key(token, ['members:read']);
    await stack.graph('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id: revoked.id }, token);
    for (const { id } of [foreign, ofTests, revoked, { id: newId(systemClock) }])
      expect(await refusalOf(CREATE, { input: agentInput({ apiKeyId: id }) })).toEqual([
        'VALIDATION_FAILED',
        'input.apiKeyId',
      ]);
  });

  test('a name that is taken, an agent of another workspace, an external agent that is started', async () => {
    const input = agentInput();
    expect((await stack.graph(CREATE, { input }, token)).errors).toBeUndefined();
    expect(await refusalOf(CREATE, { input })).toBe('AGENT_NAME_TAKEN');
    const other = await stack.signUp();
    await stack.enable(other.token, 'agents');
    const id = await createAgent(stack, other.token);
    expect(await refusalOf(UPDATE, { id, input: change(agentInput(), 1) })).toBe('AGENT_NOT_FOUND');
    expect(await refusalOf(START, { input: { agentId: id, intent: 'x' } })).toBe('AGENT_NOT_FOUND');
    expect((await stack.graph(READ, { id }, token)).data).toEqual({ agent: null });
    const outside = await createAgent(stack, token, { runtimeForm: 'MCP_EXTERNAL' });
    expect(await refusalOf(START, { input: { agentId: outside, intent: 'x' } })).toBe('AGENT_RUNS_OUTSIDE');
  });
});
