import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { capabilityPrices } from '../capabilities/capability.ts';
import { chargeOf, type DecisionScores, type MaximumUsage, maximumOf } from './charges.ts';

const contracts: DecisionScores[] = ['SEPARATE', 'INCLUDED'];
const {
  model_get_consumer_state: state,
  model_predict_churn: churn,
  model_recommend_basket: basket,
} = capabilityPrices;

test.each([
  ['a state with three scores', [state], 'SEPARATE', 30],
  ['one prediction', [churn], 'SEPARATE', 10],
  ['a decision, its score charged beside it', [basket], 'SEPARATE', 60],
  ['a decision that includes its score', [basket], 'INCLUDED', 50],
  ['a batch with two decisions, one fee', [state, basket, basket], 'SEPARATE', 100],
  [
    'a batch of which one decision includes its score, the other may fall back to one',
    [basket, basket],
    'INCLUDED',
    60,
  ],
  ['history and recording', [capabilityPrices.model_record_decision], 'SEPARATE', 0],
  ['nothing', [], 'INCLUDED', 0],
] as const)('reserves for %s', (_, calls, contract, credits) => {
  expect(maximumOf(calls, contract)).toBe(credits);
});

test.each([
  ['scores that came out', [{ scores: 2, hasDecision: false }], 'SEPARATE', 20],
  ['an unavailable answer', [{ scores: 0, hasDecision: false }], 'SEPARATE', 0],
  ['a decision and its score', [{ scores: 1, hasDecision: true }], 'SEPARATE', 60],
  ['a decision that includes its score', [{ scores: 1, hasDecision: true }], 'INCLUDED', 50],
  ['a score without a decision under either contract', [{ scores: 1, hasDecision: false }], 'INCLUDED', 10],
] as const)('charges %s', (_, answers, contract, credits) => {
  expect(chargeOf(answers, contract)).toBe(credits);
});

test('a batch is charged one decision, and scores of calls without one also where decisions include theirs', () => {
  const answers = [
    { scores: 1, hasDecision: true },
    { scores: 1, hasDecision: true },
    { scores: 3, hasDecision: false },
  ];
  expect(contracts.map((contract) => chargeOf(answers, contract))).toEqual([100, 80]);
});

test('what is reserved covers every outcome, and some outcome costs all of it', () => {
  const call = fc.record({ scores: fc.nat(5), isDecision: fc.boolean() });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 5 }), fc.constantFrom(...contracts), (calls, contract) => {
      const dearest = Math.max(...outcomesOf(calls).map((answers) => chargeOf(answers, contract)));
      expect(maximumOf(calls, contract)).toBe(dearest);
    }),
  );
});

/** Returns all possible outcomes of calls: each with all of its scores or none, each decision made or not. */
function outcomesOf(calls: readonly MaximumUsage[]): { scores: number; hasDecision: boolean }[][] {
  const [first, ...rest] = calls;
  if (!first) return [[]];
  const ways = [0, first.scores].flatMap((scores) =>
    [false, ...(first.isDecision ? [true] : [])].map((hasDecision) => ({ scores, hasDecision })),
  );
  return outcomesOf(rest).flatMap((others) => ways.map((way) => [way, ...others]));
}
