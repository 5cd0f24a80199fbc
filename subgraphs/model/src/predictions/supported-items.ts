import { associations, type ItemItem } from './item-item.ts';
import { byCount, type ItemPopularity } from './item-popularity.ts';
import { countsOf, type OwnBaskets, rankItems, rounded } from './ranking.ts';

/** A recommended item with what it rests on. */
export interface SupportedItem {
  readonly itemId: string;
  /** From 0 to 1, to rank by; no probability. */
  readonly score: number;
  /** The reason for it: `OWN_FREQUENCY`, `BOUGHT_WITH_YOURS`, `BOUGHT_TOGETHER`, `POPULARITY`. */
  readonly basis: string;
  /**
   * Baskets behind it, by the basis: the member's own with the item; the workspace's with the item and
   * `withItemId`, which count half after 180 days; the workspace's with the item in the last 365 days.
   */
  readonly support: number;
  /** The item that it is bought with, by those two bases. */
  readonly withItemId: string | null;
}

/** Popular items that fill a list up. */
const POPULAR_MAX = 50;

const inHundredths = (baskets: number): number => Math.round(baskets * 100) / 100;

/** The member's own items, as `rankItems` ranks them. */
export function rankAgain(own: OwnBaskets, popularity: ItemPopularity, limit: number): SupportedItem[] {
  const counted = countsOf(own);
  return rankItems(own, popularity, counted.size)
    .slice(0, limit)
    .map((item) => ({ ...item, support: counted.get(item.itemId)!, withItemId: null }));
}

/** The own items, most often bought first and of equals the latest: what other items are looked up by. */
export const itemsToGoBy = (own: OwnBaskets, itemsMax: number): string[] =>
  [...countsOf(own)]
    .sort(([, a], [, b]) => b - a)
    .slice(0, itemsMax)
    .map(([itemId]) => itemId);

/** The workspace's most bought items of those that are wanted. */
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

/** Items that the member never bought: an item's share of all baskets, and what the own items add to it. */
export const rankNew = (ranked: Ranked, limit: number): SupportedItem[] =>
  rankWith(ranked, new Map(), 'BOUGHT_WITH_YOURS', (_, share) => share, limit);

/** Items that complete a cart: how often the member buys an item, and what those in the cart add to it. */
export function rankAdditions(ranked: Ranked, own: OwnBaskets, limit: number): SupportedItem[] {
  const counted = new Map([...countsOf(own)].filter(([itemId]) => ranked.isWanted(itemId)));
  const usual = (itemId: string, share: number) => ((counted.get(itemId) ?? 0) + share) / (own.length + 1);
  return rankWith(ranked, counted, 'BOUGHT_TOGETHER', usual, limit);
}

/** @param usual - the score of an item without what goes with it, by its share of all baskets */
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
