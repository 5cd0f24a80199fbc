import type { ItemPartners } from './basket-counts.ts';
import { byCount } from './item-popularity.ts';

/**
 * Baskets with the workspace's average content that are added to those of each item, so that few baskets have
 * little effect.
 */
const PRIOR_BASKETS = 20;
/** Candidates whose own baskets are read; further ones are bought with the given items too rarely. */
const CANDIDATES_MAX = 100;

/** Counts of some items and of their partners, in baskets of today. */
export interface ItemItem {
  /** Number of all baskets. */
  readonly baskets: number;
  /** Number of baskets with an item; 0 if there are none. */
  readonly basketsOf: (itemId: string) => number;
  /** The given items that are known, with the baskets that contain them and a partner. */
  readonly given: readonly ItemPartners[];
}

/** The increase of an item's likelihood due to other items. */
export interface Association {
  /** The value to add to the item's share of all baskets. */
  readonly gain: number;
  /** The other item with the strongest effect, and the number of baskets with both. */
  readonly withItemId: string;
  readonly baskets: number;
}

/**
 * Returns the items that are bought with the given ones, most often first: those whose counts are worth
 * reading.
 */
export function likelyPartners(
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
 * The share of baskets with one item that also contain another one, with 20 more baskets of the workspace's
 * average content; divided by `share` it is the shrunk lift of the two.
 *
 * @param together - baskets that contain both
 * @param ofGiven - baskets that contain the first item
 * @param share - the share of all baskets that contain the other item
 */
const shareAmong = (together: number, ofGiven: number, share: number): number =>
  (together + PRIOR_BASKETS * share) / (ofGiven + PRIOR_BASKETS);

/**
 * Returns the associations of other items with the given ones: the increase of an item's share among the
 * baskets of each given item, summed over positive increases, and divided by the square root of the number of
 * given items, because they overlap. Of all combinations that were tried, this one finds most on generated
 * purchases.
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
