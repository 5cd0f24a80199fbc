import { byCount, byId, type ItemPopularity } from './item-popularity.ts';

export interface RecommendedItem {
  readonly itemId: string;
  /** From 0 to 1, for ranking; not a probability. */
  readonly score: number;
  /** The reason for it: `OWN_FREQUENCY`, `POPULARITY`, `BOUGHT_TOGETHER`. */
  readonly basis: string;
}

export interface RecommendedBasket {
  readonly itemIds: readonly string[];
  readonly score: number;
  readonly basis: string;
}

/** The baskets of a member: each contains an item once. */
export type OwnBaskets = readonly (readonly string[])[];

interface Candidate {
  readonly itemId: string;
  /** Share of the member's baskets with the item, with one more basket of the workspace's average content. */
  readonly share: number;
  readonly isOwn: boolean;
}

/** Added to observed and expected counts, so that few baskets have little effect. */
const LIFT_PRIOR = 5;
const OWN_MAX = 12;
const PARTNERS_OF = 5;
const PARTNERS_MAX = 3;
const CANDIDATES_MAX = 30;

/** Returns a score as clients receive it: at most 1, with 6 decimals. */
export const rounded = (score: number): number => Math.round(Math.min(1, score) * 1e6) / 1e6;

/**
 * Ranks the member's own items, most frequent first, then what the workspace buys most. The one average
 * basket of the workspace breaks ties between own items and ranks the others; it never ranks another item
 * above an own one.
 */
export function rankItems(own: OwnBaskets, popularity: ItemPopularity, limit: number): RecommendedItem[] {
  return candidates(own, popularity)
    .slice(0, limit)
    .map(({ itemId, share, isOwn }) => ({
      itemId,
      score: rounded(share),
      basis: isOwn ? 'OWN_FREQUENCY' : 'POPULARITY',
    }));
}

/**
 * Ranks pairs and triples of items that the member and the workspace buy, by the chance that they are bought
 * together.
 */
export function rankBaskets(own: OwnBaskets, popularity: ItemPopularity, limit: number): RecommendedBasket[] {
  const chosen = basketCandidates(candidates(own, popularity), popularity);
  const lifts = liftsOf(own, popularity);
  const baskets: RecommendedBasket[] = [];
  chosen.forEach((a, i) => {
    chosen.slice(i + 1).forEach((b, j) => {
      baskets.push(combined([a, b], lifts));
      for (const c of chosen.slice(i + j + 2)) baskets.push(combined([a, b, c], lifts));
    });
  });
  return baskets
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || byId(a.itemIds.join('\n'), b.itemIds.join('\n')))
    .slice(0, limit);
}

function candidates(own: OwnBaskets, { items, baskets }: ItemPopularity): Candidate[] {
  const counted = countsOf(own);
  const popular = new Map(items);
  const share = (count: number, itemId: string) =>
    (count + (popular.get(itemId) ?? 0) / baskets) / (own.length + 1);
  const mine = [...counted].map(([itemId, count]) => ({ itemId, share: share(count, itemId), isOwn: true }));
  const others = items
    .filter(([itemId]) => !counted.has(itemId))
    .map(([itemId]) => ({ itemId, share: share(0, itemId), isOwn: false }));
  const best = (a: Candidate, b: Candidate) => b.share - a.share || byId(a.itemId, b.itemId);
  return [...mine.sort(best), ...others.sort(best)];
}

/** Counts baskets by item. */
export function countsOf(baskets: OwnBaskets): Map<string, number> {
  const counted = new Map<string, number>();
  for (const itemId of baskets.flat()) counted.set(itemId, (counted.get(itemId) ?? 0) + 1);
  return counted;
}

/** Returns the member's most frequent items, the partners of the first of them, and popular items. */
function basketCandidates(ranked: readonly Candidate[], popularity: ItemPopularity): Candidate[] {
  const byItem = new Map(ranked.map((candidate) => [candidate.itemId, candidate]));
  const mine = ranked.filter(({ isOwn }) => isOwn).slice(0, OWN_MAX);
  const partners = mine
    .slice(0, PARTNERS_OF)
    .flatMap(({ itemId }) => partnersOf(itemId, popularity))
    .map((itemId) => byItem.get(itemId)!);
  const popular = ranked.filter(({ isOwn }) => !isOwn);
  return [...new Set([...mine, ...partners, ...popular])].slice(0, CANDIDATES_MAX);
}

function partnersOf(itemId: string, { items, pairs }: ItemPopularity): string[] {
  const place = items.findIndex(([id]) => id === itemId);
  return pairs
    .filter(([first, second]) => first === place || second === place)
    .map(([first, second, baskets]): [string, number] => [
      items[first === place ? second : first]![0],
      baskets,
    ])
    .sort(byCount)
    .slice(0, PARTNERS_MAX)
    .map(([id]) => id);
}

interface Lift {
  /** The ratio of joint purchases to those expected by chance; 1 if unknown. */
  readonly value: number;
  /** True if it was counted in the workspace's baskets. */
  readonly isKnown: boolean;
}

type Lifts = (first: string, second: string) => Lift;

const pairKey = (first: string, second: string): string =>
  first < second ? `${first}\n${second}` : `${second}\n${first}`;

const shrunkLift = (seen: number, expected: number): number => (seen + LIFT_PRIOR) / (expected + LIFT_PRIOR);

/**
 * Returns lifts from all baskets of the workspace if they are counted for the pair, otherwise from the
 * member's own.
 */
function liftsOf(own: OwnBaskets, { items, pairs, baskets }: ItemPopularity): Lifts {
  const known = new Map(
    pairs.map(([first, second, seen]) => {
      const [[a, ofA], [b, ofB]] = [items[first]!, items[second]!];
      return [pairKey(a, b), shrunkLift(seen, (ofA * ofB) / baskets)];
    }),
  );
  const counted = countsOf(own);
  const ofOwn = (first: string, second: string): Lift => {
    const [ofFirst, ofSecond] = [counted.get(first), counted.get(second)];
    if (!ofFirst || !ofSecond) return { value: 1, isKnown: false };
    const seen = own.filter((basket) => basket.includes(first) && basket.includes(second)).length;
    return { value: shrunkLift(seen, (ofFirst * ofSecond) / own.length), isKnown: false };
  };
  const found = new Map<string, Lift>();
  return (first, second) => {
    const key = pairKey(first, second);
    let lift = found.get(key);
    if (!lift) {
      const ofAll = known.get(key);
      lift = ofAll === undefined ? ofOwn(first, second) : { value: ofAll, isKnown: true };
      found.set(key, lift);
    }
    return lift;
  };
}

/**
 * The share of baskets that contain all of the items: the product of their shares and, for a pair, its lift.
 * For a triple it is the product of its three lifts to the power 2/3, which is exact if all three are always
 * bought together.
 */
function combined(items: readonly Candidate[], liftOf: Lifts): RecommendedBasket {
  const lifts = items.flatMap((a, i) => items.slice(i + 1).map((b) => liftOf(a.itemId, b.itemId)));
  const lift = lifts.reduce((product, { value }) => product * value, 1);
  const shares = items.reduce((product, { share }) => product * share, 1);
  const score = Math.min(
    shares * (items.length === 2 ? lift : Math.cbrt(lift) * Math.cbrt(lift)),
    leastOf(items),
  );
  return {
    itemIds: items.map(({ itemId }) => itemId).sort(byId),
    score: rounded(score),
    basis: basisOf(items, lifts),
  };
}

/** A basket is at most as likely as its rarest item. */
const leastOf = (items: readonly Candidate[]): number => Math.min(...items.map(({ share }) => share));

function basisOf(items: readonly Candidate[], lifts: readonly Lift[]): string {
  if (lifts.every(({ isKnown, value }) => isKnown && value > 1)) return 'BOUGHT_TOGETHER';
  return items.every(({ isOwn }) => isOwn) ? 'OWN_FREQUENCY' : 'POPULARITY';
}
