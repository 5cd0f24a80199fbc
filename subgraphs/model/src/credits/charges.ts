/**
 * Prices in credits; 10,000 credits are USD 1.
 *
 * @remarks Source: model API, section 2 "Credits and billing"
 */
export const rates = {
  /** One newly accepted valid behavioral event. */
  event: 1,
  /** One member by objective score. */
  score: 10,
  /** An API response with actionable recommendations. */
  decision: 50,
} as const;

export const CREDITS_PER_USD_CENT = 100;

/** Whether the paid contract charges scores in addition to a decision, or includes them in its price. */
export type DecisionScores = 'SEPARATE' | 'INCLUDED';

/** Credits under either contract, for use before the contract is known. */
export type ByContract = Readonly<Record<DecisionScores, number>>;

/** The most that one call can use. */
export interface MaximumUsage {
  /** Maximum number of objective scores. */
  readonly scores: number;
  /** True if the answer may contain actionable recommendations. */
  readonly isDecision: boolean;
}

/** The actual usage of one call. */
export interface ActualUsage {
  /** Number of computed objective scores; unavailable ones do not count. */
  readonly scores: number;
  /** True if it contains actionable recommendations. */
  readonly hasDecision: boolean;
}

/**
 * Returns the credits of answers that are paid together: one call, or a batch. Every score is charged, and at
 * most one decision even if several answers contain one.
 *
 * @remarks Source: model API, section 2 "Credits", rules 4, 5 and 7; requirements M-CRD-08 to -11, -13
 */
export function chargeOf(answers: readonly ActualUsage[], contract: DecisionScores): number {
  const charged = answers.filter(({ hasDecision }) => !(hasDecision && contract === 'INCLUDED'));
  const scores = charged.reduce((sum, answer) => sum + answer.scores, 0);
  return scores * rates.score + (answers.some(({ hasDecision }) => hasDecision) ? rates.decision : 0);
}

/**
 * Returns the maximum cost, in credits, of calls that are paid together: the amount to reserve before they
 * are made. If the contract includes scores in decisions, the most expensive outcome has one decision, by the
 * call with the fewest scores, and only scores from the others.
 *
 * @remarks Source: model API, section 2 "Credits", rules 4 to 6; requirements M-CRD-08 to M-CRD-12
 */
export function maximumOf(calls: readonly MaximumUsage[], contract: DecisionScores): number {
  const scores = calls.reduce((sum, call) => sum + call.scores, 0) * rates.score;
  const decisions = calls.filter(({ isDecision }) => isDecision);
  if (decisions.length === 0) return scores;
  if (contract === 'SEPARATE') return scores + rates.decision;
  const included = Math.min(...decisions.map((call) => call.scores)) * rates.score;
  return scores + Math.max(0, rates.decision - included);
}

/**
 * Returns `maximumOf` under either contract, as `paidWork` requires it, so that the contract need not be read
 * before.
 */
export const maximumByContract = (calls: readonly MaximumUsage[]): ByContract => ({
  SEPARATE: maximumOf(calls, 'SEPARATE'),
  INCLUDED: maximumOf(calls, 'INCLUDED'),
});
