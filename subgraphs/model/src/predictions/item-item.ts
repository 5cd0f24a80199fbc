import type { ItemPartners } from './basket-counts.ts';
import { byCount } from './item-popularity.ts';

/** Baskets as the workspace buys that are added to those of each item, so that few baskets say little. */
const PRIOR_BASKETS = 20;
/** Items whose own baskets are looked up; others go with the given ones too rarely. */
const CANDIDATES_MAX = 100;

/** What is counted of some items and of their partners, in baskets of today. */
export interface ItemItem {
  /** All baskets. */
  readonly baskets: number;
  /** Of an item; 0 where none is counted. */
  readonly basketsOf: (itemId: string) => number;
  /** The given items that are known, with the baskets that hold them and a partner. */
  readonly given: readonly ItemPartners[];
}

/** How much likelier an item is because of others. */
export interface Association {
  /** What is added to its share of all baskets. */
  readonly gain: number;
  /** The other one that says most, and the baskets that hold both. */
  readonly withItemId: string;
  readonly baskets: number;
}

/** The items that are bought with those given, most often first: those that are worth looking up. */
export function partnersToLookUp(
  given: readonly ItemPartners[],
  unit: number,
  isWanted: (itemId: string) => boolean,
): string[] {
  const sums = new Map<string, number>();
  for (const { weight, partnerIds, partnerWeights } of given) {
    partnerIds.forEach((id, place) => {
      const share = partnerWeights[place]! / (weight + PRIOR_BASKETS * unit);
      if (isWanted(id)) sums.set(id, (sums.get(id) ?? 0) + share);
    });
  }
  return [...sums]
    .sort(byCount)
    .slice(0, CANDIDATES_MAX)
    .map(([id]) => id);
}

/**
 * The share of baskets with one item that hold another one, with 20 more baskets as the whole workspace buys;
 * divided by `share` it is the shrunk lift of the two.
 *
 * @param together - baskets that hold both
 * @param ofGiven - baskets with the one
 * @param share - of all baskets, those with the other
 */
const shareAmong = (together: number, ofGiven: number, share: number): number =>
  (together + PRIOR_BASKETS * share) / (ofGiven + PRIOR_BASKETS);

/**
 * What the given items say about others: how much larger the share of an item is among the baskets of each
 * given one, summed where it is larger, and divided by the square root of their number, because given items
 * repeat each other. Of ways to combine them this one finds most on generated purchases.
 */
export function associations(
  { baskets, basketsOf, given }: ItemItem,
  isWanted: (itemId: string) => boolean,
): ReadonlyMap<string, Association> {
  const found = new Map<string, { gain: number; best: number; withItemId: string; baskets: number }>();
  if (baskets === 0) return found;
  const repeated = Math.sqrt(given.length);
  for (const { itemId, weight, partnerIds, partnerWeights } of given) {
    partnerIds.forEach((id, place) => {
      if (!isWanted(id)) return;
      const together = partnerWeights[place]!;
      const share = basketsOf(id) / baskets;
      const gain = (shareAmong(together, weight, share) - share) / repeated;
      if (gain <= 0) return;
      const before = found.get(id) ?? { gain: 0, best: 0, withItemId: itemId, baskets: together };
      const isBest = gain > before.best;
      found.set(id, {
        gain: before.gain + gain,
        best: Math.max(gain, before.best),
        withItemId: isBest ? itemId : before.withItemId,
        baskets: isBest ? together : before.baskets,
      });
    });
  }
  return found;
}
