/**
 * The source of baskets: orders with lines, or purchase events, where the events of one member on one day are
 * a basket.
 */
export type ItemSource = 'ORDER_LINES' | 'EVENTS';

/** The items that the members of a workspace buy most, and most often together. */
export interface ItemPopularity {
  readonly source: ItemSource;
  /** Number of counted items; an item counts once in a basket. */
  readonly lines: number;
  readonly baskets: number;
  /** Time of the latest counted purchase; ISO 8601. */
  readonly dataThrough: string;
  /** Most bought first: id and baskets. */
  readonly items: readonly (readonly [itemId: string, baskets: number])[];
  /** Most bought together first: two indexes in `items`, and baskets. */
  readonly pairs: readonly (readonly [first: number, second: number, baskets: number])[];
}

/** Sorts by count, descending, and equal counts by id, so that the same facts always give the same order. */
export const byCount = (a: readonly [string, number], b: readonly [string, number]): number =>
  b[1] - a[1] || byId(a[0], b[0]);

/** Sorts by id, for items with equal scores. */
export function byId(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
