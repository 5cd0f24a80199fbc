import { expect, test } from '@jest/globals';
import { addMs } from '@loyalty/platform/base/clock';
import { blueprintSchema } from '../agents/agent-definition.ts';
import { reachedLimit, tokensLeft } from './limits.ts';

const now = new Date('2026-03-02T10:00:00.000Z');
const unused = { steps: 0, tokens: 0, usdMicros: 0n, deadlineAt: addMs(now, 1) };
const blueprint = blueprintSchema.parse({
  instructions: 'Help.',
  loopPolicy: { maxSteps: 3, budget: { tokens: 1_000, usd: 0.001 } },
});
const free = { input: 0, output: 0 };

test.each([
  ['1 ms before its end', 'no limit', {}, null],
  ['at its end', 'the limit TIME', { deadlineAt: now }, 'TIME'],
  ['after two of three steps', 'no limit', { steps: 2 }, null],
  ['after three of three steps', 'the limit STEPS', { steps: 3 }, 'STEPS'],
])('a run %s has reached %s', (_, _name, used, limit) => {
  expect(reachedLimit({ ...unused, ...used }, blueprint, now)).toBe(limit);
});

test.each<[string, Partial<typeof unused>, typeof free, number, number | string]>([
  ['with 16 tokens left', { tokens: 984 }, free, 0, 16],
  ['with 15 tokens left', { tokens: 985 }, free, 0, 'TOKENS'],
  ['whose prompt leaves 16', { tokens: 983 }, free, 4, 16],
  ['whose prompt leaves 15, because a part of a token counts as one', { tokens: 983 }, free, 5, 'TOKENS'],
  ['that can pay for 16', { usdMicros: 968n }, { input: 0, output: 2 }, 0, 16],
  ['that can pay for less than 16', { usdMicros: 969n }, { input: 0, output: 2 }, 0, 'USD'],
  ['that can pay for its prompt only, where answers cost nothing', {}, { input: 10, output: 0 }, 400, 900],
  ['that cannot pay for its prompt', {}, { input: 10, output: 0 }, 401, 'USD'],
])('a run %s: the tokens of its next answer, or the limit that it has reached', (_, ...given) => {
  const [used, price, characters, left] = given;
  expect(tokensLeft({ ...unused, ...used }, blueprint, price, characters)).toBe(left);
});

test('one answer has at most 4096 tokens', () => {
  const rich = blueprintSchema.parse({ instructions: 'Help.', loopPolicy: { budget: { tokens: 4_097 } } });
  expect(tokensLeft(unused, rich, free, 0)).toBe(4_096);
  expect(tokensLeft({ ...unused, tokens: 2 }, rich, free, 0)).toBe(4_095);
});
