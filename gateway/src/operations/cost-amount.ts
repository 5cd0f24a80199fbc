import type { Variables } from '../transport/transport.ts';

/** A cost: a number, or a function of the variables. */
export type Amount = number | ((variables: Variables) => number);

/** Maximum cost, so that sums and products stay finite. */
export const COST_MAX = 1_000_000_000;

export const amountOf = (amount: Amount, variables: Variables): number =>
  typeof amount === 'number' ? amount : amount(variables);

/** Returns the sum, at most COST_MAX; constant amounts are added in advance. */
export function plus(...amounts: readonly Amount[]): Amount {
  const open = amounts.filter((amount) => typeof amount === 'function');
  const known = amounts.reduce<number>((sum, amount) => sum + (typeof amount === 'number' ? amount : 0), 0);
  if (open.length === 0) return Math.min(COST_MAX, known);
  return (variables) => {
    let sum = known;
    for (const amount of open) sum += amount(variables);
    return Math.min(COST_MAX, sum);
  };
}

/** Returns the product, at most COST_MAX. */
export function times(count: Amount, amount: Amount): Amount {
  if (count === 0 || amount === 0) return 0;
  if (typeof count === 'number' && typeof amount === 'number') return Math.min(COST_MAX, count * amount);
  return (variables) => Math.min(COST_MAX, amountOf(count, variables) * amountOf(amount, variables));
}
