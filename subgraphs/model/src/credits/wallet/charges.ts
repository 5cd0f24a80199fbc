import { rates } from './rates.ts';

/**
 * What the paid contract says of scores that come with a decision: they are charged beside it, or its price
 * holds them.
 */
export type DecisionScores = 'SEPARATE' | 'INCLUDED';

/** Credits under either contract, for what is said before the contract is known. */
export type ByContract = Readonly<Record<DecisionScores, number>>;

/** What one call can bring at most. */
export interface Promised {
  /** Objective scores at most. */
  readonly scores: number;
  /** The answer may hold recommendations to act on. */
  readonly isDecision: boolean;
}

/** What one call brought. */
export interface Answered {
  /** Objective scores that came out; unavailable ones are none. */
  readonly scores: number;
  /** It holds recommendations to act on. */
  readonly hasDecision: boolean;
}

/**
 * Credits of answers that are paid together: one call, or a batch. Every score is charged, and at most one
 * decision however many of the answers hold one.
 *
 * @remarks Source: model API, section 2 "Credits", rules 4, 5 and 7; requirements M-CRD-08 to -11, -13
 */
export function chargeOf(answers: readonly Answered[], contract: DecisionScores): number {
  const charged = answers.filter(({ hasDecision }) => !(hasDecision && contract === 'INCLUDED'));
  const scores = charged.reduce((sum, answer) => sum + answer.scores, 0);
  return scores * rates.score + (answers.some(({ hasDecision }) => hasDecision) ? rates.decision : 0);
}

/**
 * Credits that calls which are paid together can cost at most: what to reserve before they are made. Where
 * the contract includes scores in decisions, the dearest outcome is that a single call decides, the one with
 * the fewest scores, and the others only score.
 *
 * @remarks Source: model API, section 2 "Credits", rules 4 to 6; requirements M-CRD-08 to M-CRD-12
 */
export function maximumOf(calls: readonly Promised[], contract: DecisionScores): number {
  const scores = calls.reduce((sum, call) => sum + call.scores, 0) * rates.score;
  const decisions = calls.filter(({ isDecision }) => isDecision);
  if (decisions.length === 0) return scores;
  if (contract === 'SEPARATE') return scores + rates.decision;
  const included = Math.min(...decisions.map((call) => call.scores)) * rates.score;
  return scores + Math.max(0, rates.decision - included);
}

/** `maximumOf` under either contract: what `paidWork` takes, so that nobody has to read the contract. */
export const maximumByContract = (calls: readonly Promised[]): ByContract => ({
  SEPARATE: maximumOf(calls, 'SEPARATE'),
  INCLUDED: maximumOf(calls, 'INCLUDED'),
});
