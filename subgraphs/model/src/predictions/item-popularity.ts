/** Where baskets come from: orders with lines, or purchase events, of which a member's day is a basket. */
export type ItemSource = 'ORDER_LINES' | 'EVENTS';

/** What the members of a workspace buy most, and together. */
export interface ItemPopularity {
  readonly source: ItemSource;
  /** Bought items that were counted: an item counts once in a basket. */
  readonly lines: number;
  readonly baskets: number;
  /** Time of the latest of them; ISO 8601. */
  readonly dataThrough: string;
  /** Most bought first: id and baskets. */
  readonly items: readonly (readonly [itemId: string, baskets: number])[];
  /** Most bought together first: two places in `items`, and baskets. */
  readonly pairs: readonly (readonly [first: number, second: number, baskets: number])[];
}

/** Most first, and of equals the smaller id, so that the same facts always give the same order. */
export const byCount = (a: readonly [string, number], b: readonly [string, number]): number =>
  b[1] - a[1] || byId(a[0], b[0]);

/** The order of ids wherever scores are equal. */
export function byId(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
