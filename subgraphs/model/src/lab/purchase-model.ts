/** The history of a customer, as the models need it; all times in one unit. */
export interface Pattern {
  /** Repeat purchases. */
  readonly x: number;
  /** From the first purchase to the last. */
  readonly tx: number;
  /** From the first purchase to the end of observation. */
  readonly t: number;
}

/** A pattern, and how many customers have it. */
export interface WeightedPattern extends Pattern {
  readonly weight: number;
}

/** A model of when customers buy and when they stop; its parameters are positive. */
export interface PurchaseModel {
  readonly name: 'BG/NBD' | 'MBG/NBD' | 'Pareto/NBD';
  /** In the order in which functions take the parameters. */
  readonly parameterNames: readonly string[];
  /** Parameters that time is measured in; the others do not depend on the unit. */
  readonly timedNames: readonly string[];
  /** Logarithm of the likelihood of a pattern; what depends on parameters alone is worked out once. */
  logLikelihood(parameters: readonly number[]): (pattern: Pattern) => number;
  /** Chance that a customer will still buy. */
  aliveChance(parameters: readonly number[], pattern: Pattern): number;
  /** Purchases expected within `ahead` of the end of observation. */
  expectedPurchases(parameters: readonly number[], pattern: Pattern, ahead: number): number;
}

export type FourParameters = readonly [number, number, number, number];

/** A function of a count, worked out once for each count. */
export function memoized(work: (count: number) => number): (count: number) => number {
  const known = new Map<number, number>();
  return (count) => {
    const found = known.get(count);
    if (found !== undefined) return found;
    const made = work(count);
    known.set(count, made);
    return made;
  };
}
