import { beforeAll, describe, expect, test } from '@jest/globals';
import { useStack } from '../harness/stack.ts';
import { createAgent, eventsOf, MODELS, runIn, startRun, typesOf } from './agents.fixture.ts';
import { type Scripted, type ScriptedModel, scriptedModel } from './scripted-model.fixture.ts';

const stack = useStack();
let model: ScriptedModel;
let token: string;
let reader: string;

beforeAll(async () => {
  model = await scriptedModel();
  stack.beforeClose(() => model.close());
  Object.assign(stack.services.config, {
    AGENT_MODEL_URL: model.url,
    AGENT_MODEL_PRICES: MODELS,
    AGENT_MODEL_TIMEOUT_MS: 400,
  });
  await stack.work();
  ({ token } = await stack.signUp());
  await stack.enable(token, 'agents');
  reader = (await stack.key(token, ['agents:read'])).secret;
});

const ended = (id: string) => runIn(stack, reader, id, 'completed', 'failed', 'escalated', 'cancelled');

describe('a model that fails', () => {
  const failures: readonly (readonly [string, Scripted, string])[] = [
    ['does not answer', { act: () => undefined }, 'MODEL_UNAVAILABLE'],
    ['hangs up', { act: (response) => response.destroy() }, 'MODEL_UNAVAILABLE'],
    ['answers 500', { status: 500 }, 'MODEL_UNAVAILABLE'],
    ['refuses the key', { status: 401 }, 'MODEL_UNAVAILABLE'],
    ['sends no JSON', { raw: '<html>' }, 'MODEL_ANSWER_INVALID'],
    ['sends no choices', { raw: '{"choices":[]}' }, 'MODEL_ANSWER_INVALID'],
    ['says nothing', { say: '' }, 'MODEL_ANSWER_INVALID'],
    [
      'sends a tool call of another shape',
      { raw: '{"choices":[{"message":{"tool_calls":[{}]}}]}' },
      'MODEL_ANSWER_INVALID',
    ],
  ];

  test.each(failures)('and %s ends the run cleanly', async (_, answer, reason) => {
    const agent = await createAgent(stack, token);
    model.script(answer);
    const run = await ended(await startRun(stack, token, agent));
    expect(run).toMatchObject({ status: 'failed', outcome: `no model answered: ${reason}` });
    expect(typesOf(run).at(-1)).toBe('run_ended');
  });

  test('is replaced by the next one of the routing', async () => {
    const modelRouting = [{ model: 'unpriced' }, { model: 'small' }, { model: 'large' }];
    const agent = await createAgent(stack, token, { blueprint: { modelRouting } });
    model.script({ raw: '{}' }, { say: 'Here I am.' });
    const run = await ended(await startRun(stack, token, agent));
    expect(run.status).toBe('completed');
    expect(eventsOf(run, 'model_selected').map(({ model: name, ok }) => [name, ok])).toEqual([
      ['small', true],
      ['small', false],
      ['large', true],
    ]);
  });

  test('has its tokens estimated when it reports none', async () => {
    const agent = await createAgent(stack, token);
    model.script({ say: 'x'.repeat(8_000), tokens: 0 });
    expect((await ended(await startRun(stack, token, agent))).tokens).toBeGreaterThan(1_000);
  });
});
