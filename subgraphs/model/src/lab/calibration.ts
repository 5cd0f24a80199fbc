import type { PurchaseDays } from './purchase-file.ts';
import type { Pattern, WeightedPattern } from './purchase-model.ts';

/** Days per unit. */
export const unitDays = { days: 1, weeks: 7 } as const;

export type TimeUnit = keyof typeof unitDays;

/** A customer at the end of calibration, with the later purchases. */
export interface Calibrated extends Pattern {
  readonly customer: string;
  /** Purchase days after the end of calibration, up to the end of the holdout. */
  readonly later: number;
}

/** Returns the last day with a purchase. */
export const lastDayOf = (purchases: PurchaseDays): number =>
  purchases.values().reduce((last, days) => Math.max(last, days.at(-1)!), Number.NEGATIVE_INFINITY);

/**
 * Returns the customers who had bought by the end of calibration.
 *
 * @param end - its last day, in days since 1970-01-01
 * @param holdoutEnd - the last day that counts as later
 */
export function calibrate(
  purchases: PurchaseDays,
  { end, holdoutEnd = end, unit }: { end: number; holdoutEnd?: number; unit: TimeUnit },
): Calibrated[] {
  const size = unitDays[unit];
  return Array.from(purchases).flatMap(([customer, days]) => {
    const until = days.filter((day) => day <= end);
    const [first, last] = [until[0], until.at(-1)];
    if (first === undefined || last === undefined) return [];
    const later = days.filter((day) => day > end && day <= holdoutEnd).length;
    const [tx, t] = [(last - first) / size, (end - first) / size];
    return [{ customer, x: until.length - 1, tx, t, later }];
  });
}

/** Merges equal patterns into one of greater weight. */
export function weighted(patterns: readonly Pattern[], each = 1): WeightedPattern[] {
  const known = new Map<string, { x: number; tx: number; t: number; weight: number }>();
  for (const { x, tx, t } of patterns) {
    const key = `${x} ${tx} ${t}`;
    const found = known.get(key);
    if (found) found.weight += each;
    else known.set(key, { x, tx, t, weight: each });
  }
  return [...known.values()];
}
