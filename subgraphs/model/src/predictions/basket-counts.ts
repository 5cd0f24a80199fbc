import { DAY_MS } from '@loyalty/platform/base/clock';
import { byCount } from './item-popularity.ts';

/** Partners that are kept for each item. */
export const PARTNERS_MAX = 64;
/**
 * Pairs are counted among this many items of a basket; more items say little about what is bought together.
 */
const PAIRED_MAX = 50;
const HALF_LIFE_DAYS = 180;
/** 2020-01-01, in days since 1970-01-01: the weight of its baskets is 1. */
const FIRST_DAY = 18_262;

/**
 * The weight of a basket of that time in counts; it doubles every 180 days. Sums of such weights never need
 * to be decayed, in whatever order baskets arrive: divided by the weight of today, they are counts in which
 * old baskets fade.
 */
export const weightAt = (time: Date): number =>
  2 ** ((Math.floor(time.getTime() / DAY_MS) - FIRST_DAY) / HALF_LIFE_DAYS);

/** Total weight of an item's baskets, and of the baskets that also contain each of its partners. */
interface ItemCounts {
  weight: number;
  readonly partners: Map<string, number>;
}

/** Counts of baskets in memory. */
export interface BasketCounts {
  /** Total weight of all baskets. */
  weight: number;
  /** Pairs of items in both directions: they determine the memory used. */
  pairs: number;
  readonly items: Map<string, ItemCounts>;
}

export const noBaskets = (): BasketCounts => ({ weight: 0, pairs: 0, items: new Map() });

/**
 * Adds a basket, or late items of a basket that was counted before.
 *
 * @param added - distinct items that were not counted yet
 * @param counted - other items of the same basket that were counted before
 */
export function addBasket(
  counts: BasketCounts,
  occurredAt: Date,
  added: readonly string[],
  counted: readonly string[] = [],
): void {
  if (added.length === 0) return;
  const weight = weightAt(occurredAt);
  if (counted.length === 0) counts.weight += weight;
  for (const itemId of added) itemOf(counts, itemId).weight += weight;
  const paired = added.slice(0, PAIRED_MAX);
  const before = counted.slice(0, PAIRED_MAX);
  paired.forEach((one, place) => {
    for (const other of paired.slice(place + 1)) addPair(counts, one, other, weight);
    for (const other of before) addPair(counts, one, other, weight);
  });
}

function itemOf({ items }: BasketCounts, itemId: string): ItemCounts {
  let item = items.get(itemId);
  if (!item) {
    item = { weight: 0, partners: new Map() };
    items.set(itemId, item);
  }
  return item;
}

function addPair(counts: BasketCounts, one: string, other: string, weight: number): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    const { partners } = itemOf(counts, from);
    const before = partners.get(to);
    if (before === undefined) counts.pairs += 1;
    partners.set(to, (before ?? 0) + weight);
  }
}

/** An item with its partners, greatest weight first. */
export interface ItemPartners {
  readonly itemId: string;
  readonly weight: number;
  readonly partnerIds: readonly string[];
  readonly partnerWeights: readonly number[];
}

/**
 * Merges new counts of an item into the stored ones. Only the 64 partners with the greatest weight are kept;
 * the count of a dropped partner starts again from zero.
 */
export function mergedPartners(
  itemId: string,
  added: ItemCounts,
  kept: ItemPartners | undefined,
): ItemPartners {
  const weights = new Map(kept?.partnerIds.map((id, place) => [id, kept.partnerWeights[place]!]));
  for (const [id, weight] of added.partners) weights.set(id, (weights.get(id) ?? 0) + weight);
  const most = [...weights].sort(byCount).slice(0, PARTNERS_MAX);
  return {
    itemId,
    weight: added.weight + (kept?.weight ?? 0),
    partnerIds: most.map(([id]) => id),
    partnerWeights: most.map(([, weight]) => weight),
  };
}
