/** The purchase history of a customer for the models; all times in one unit. */
export interface Pattern {
  /** Number of repeat purchases. */
  readonly x: number;
  /** From the first purchase to the last. */
  readonly tx: number;
  /** From the first purchase to the end of observation. */
  readonly t: number;
}

/** A pattern and the number of customers with it. */
export interface WeightedPattern extends Pattern {
  readonly weight: number;
}

/** A model of purchases and dropping out; its parameters are positive. */
export interface PurchaseModel {
  readonly name: 'BG/NBD' | 'MBG/NBD' | 'Pareto/NBD';
  /** In the order in which functions take the parameters. */
  readonly parameterNames: readonly string[];
  /** Parameters with a unit of time; the others do not depend on the unit. */
  readonly timedNames: readonly string[];
  /** Returns the log-likelihood of a pattern; terms of the parameters alone are computed once. */
  logLikelihood(parameters: readonly number[]): (pattern: Pattern) => number;
  /** Chance that a customer will buy again. */
  aliveChance(parameters: readonly number[], pattern: Pattern): number;
  /** Expected purchases within `ahead` after the end of observation. */
  expectedPurchases(parameters: readonly number[], pattern: Pattern, ahead: number): number;
}

export type FourParameters = readonly [number, number, number, number];

/** Caches a function of a count. */
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
