import { associations, type ItemItem } from './item-item.ts';
import { byCount, type ItemPopularity } from './item-popularity.ts';
import { countsOf, type OwnBaskets, rankItems, rounded } from './ranking.ts';

/** A recommended item with its support. */
export interface SupportedItem {
  readonly itemId: string;
  /** From 0 to 1, for ranking; not a probability. */
  readonly score: number;
  /** The reason for it: `OWN_FREQUENCY`, `BOUGHT_WITH_YOURS`, `BOUGHT_TOGETHER`, `POPULARITY`. */
  readonly basis: string;
  /**
   * Number of baskets behind it, by basis: the member's own with the item; the workspace's with the item and
   * `withItemId`, whose weight is halved after 180 days; the workspace's with the item in the last 365 days.
   */
  readonly support: number;
  /** The item that it is bought with, for the bases BOUGHT_WITH_YOURS and BOUGHT_TOGETHER. */
  readonly withItemId: string | null;
}

/** Popular items that can fill a list. */
const POPULAR_MAX = 50;

const inHundredths = (baskets: number): number => Math.round(baskets * 100) / 100;

/** Ranks the member's own items like `rankItems`. */
export function rankAgain(own: OwnBaskets, popularity: ItemPopularity, limit: number): SupportedItem[] {
  const counted = countsOf(own);
  return rankItems(own, popularity, counted.size)
    .slice(0, limit)
    .map((item) => ({ ...item, support: counted.get(item.itemId)!, withItemId: null }));
}

/**
 * Returns the own items, most often bought first and equals by the latest purchase: their partners are read.
 */
export const mostBoughtItems = (own: OwnBaskets, itemsMax: number): string[] =>
  [...countsOf(own)]
    .sort(([, a], [, b]) => b - a)
    .slice(0, itemsMax)
    .map(([itemId]) => itemId);

/** Returns the workspace's most bought items among the wanted ones. */
export const popularItems = (
  { items }: ItemPopularity,
  isWanted: (itemId: string) => boolean,
): [itemId: string, baskets: number][] =>
  items
    .filter(([itemId]) => isWanted(itemId))
    .slice(0, POPULAR_MAX)
    .map(([itemId, baskets]) => [itemId, baskets]);

interface Ranked {
  readonly itemItem: ItemItem;
  readonly popularity: ItemPopularity;
  readonly isWanted: (itemId: string) => boolean;
}

/**
 * Ranks items that the member never bought, by an item's share of all baskets plus the gain from the own
 * items.
 */
export const rankNew = (ranked: Ranked, limit: number): SupportedItem[] =>
  rankWith(ranked, new Map(), 'BOUGHT_WITH_YOURS', (_, share) => share, limit);

/**
 * Ranks items that complete a cart, by the member's frequency of an item plus the gain from the items in the
 * cart.
 */
export function rankAdditions(ranked: Ranked, own: OwnBaskets, limit: number): SupportedItem[] {
  const counted = new Map([...countsOf(own)].filter(([itemId]) => ranked.isWanted(itemId)));
  const usual = (itemId: string, share: number) => ((counted.get(itemId) ?? 0) + share) / (own.length + 1);
  return rankWith(ranked, counted, 'BOUGHT_TOGETHER', usual, limit);
}

/** @param usual - the score of an item without associations, from its share of all baskets */
function rankWith(
  { itemItem, popularity, isWanted }: Ranked,
  counted: ReadonlyMap<string, number>,
  basis: string,
  usual: (itemId: string, share: number) => number,
  limit: number,
): SupportedItem[] {
  const found = associations(itemItem, isWanted);
  const popular = new Map(popularItems(popularity, isWanted));
  const shareOf = (itemId: string) =>
    itemItem.basketsOf(itemId) / itemItem.baskets || (popular.get(itemId) ?? 0) / popularity.baskets;
  const ids = [...new Set([...counted.keys(), ...found.keys(), ...popular.keys()])];
  const scores = new Map(
    ids.map((itemId) => [itemId, usual(itemId, shareOf(itemId)) + (found.get(itemId)?.gain ?? 0)]),
  );
  return [...scores]
    .sort(byCount)
    .slice(0, limit)
    .map(([itemId, score]) => {
      const item = { itemId, score: rounded(score) };
      const association = found.get(itemId);
      const times = counted.get(itemId);
      if (times && !(association && association.gain >= score / 2))
        return { ...item, basis: 'OWN_FREQUENCY', support: times, withItemId: null };
      if (association)
        return {
          ...{ ...item, basis, withItemId: association.withItemId },
          support: inHundredths(association.baskets),
        };
      return { ...item, basis: 'POPULARITY', support: popular.get(itemId) ?? 0, withItemId: null };
    });
}
