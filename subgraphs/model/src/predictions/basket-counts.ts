import { DAY_MS } from '@loyalty/platform/base/clock';
import { byCount } from './item-popularity.ts';

/** Partners of an item that are kept. */
export const PARTNERS_MAX = 64;
/** Items of a basket whose pairs are counted; more of them say little about what goes together. */
const PAIRED_MAX = 50;
const HALF_LIFE_DAYS = 180;
/** 2020-01-01: its baskets weigh 1. */
const FIRST_DAY = 18_262;

/**
 * What a basket of that day weighs in counts: twice as much every 180 days. Sums of it need no ageing, in
 * whichever order baskets come; divided by the weight of today they are counts in which old baskets fade.
 */
export const weightAt = (time: Date): number =>
  2 ** ((Math.floor(time.getTime() / DAY_MS) - FIRST_DAY) / HALF_LIFE_DAYS);

/** Weights of an item's baskets, and of those with each of the items that lie with it. */
interface ItemCounts {
  weight: number;
  readonly partners: Map<string, number>;
}

/** Baskets that were counted in memory. */
export interface BasketCounts {
  /** Of all baskets. */
  weight: number;
  /** Pairs of items in both directions: what takes the memory. */
  pairs: number;
  readonly items: Map<string, ItemCounts>;
}

export const noBaskets = (): BasketCounts => ({ weight: 0, pairs: 0, items: new Map() });

/**
 * Adds a basket, or what came late to one that was counted before.
 *
 * @param added - different items that were not counted yet
 * @param counted - other items of the same basket, which were
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
 * What is kept of an item after more of its baskets were counted. A partner that is not among the 64 with the
 * greatest weight is forgotten; should it come again, its count begins anew.
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
