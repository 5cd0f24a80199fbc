import type { Context } from '@loyalty/platform/context';
import type { EvidenceItem, SignalStatus } from '../standard-model/standard-state.ts';
import type { Cutoff } from '../standard-model/statistics-block.ts';
import { type Basket, basketsOfMember, itemsEverBought } from './baskets.store.ts';
import { readItemItem } from './item-item.service.ts';
import type { ItemItem } from './item-item.ts';
import { itemPopularity } from './item-popularity.service.ts';
import type { ItemPopularity } from './item-popularity.ts';
import {
  type OwnBaskets,
  type RecommendedBasket,
  type RecommendedItem,
  rankBaskets,
  rankItems,
} from './ranking.ts';
import {
  mostBoughtItems,
  popularItems,
  rankAdditions,
  rankAgain,
  rankNew,
  type SupportedItem,
} from './supported-items.ts';

/** Recommendations with their evidence; without items if unavailable. */
export interface Recommendation<Item> {
  readonly status: SignalStatus;
  readonly items: readonly Item[];
  readonly evidence: readonly EvidenceItem[];
  readonly limitations: readonly string[];
}

/** The latest baskets of a member that are used; older ones are ignored. */
const OWN_BASKETS_MAX = 500;
/** Own items whose partners can be recommended as new items. */
const OWN_ITEMS_MAX = 24;
/** With at least this many own bought items the ranking is the member's, otherwise the workspace's. */
const OWN_LINES_MIN = 3;
const LIMITATIONS = ['NOT_CALIBRATED', 'BASELINE_RANKING'] as const;

/** Items that the member may buy next: one combined list, and one each of known and of new items. */
export interface NextItems extends Recommendation<RecommendedItem> {
  /** The member's own items by their frequency. */
  readonly again: readonly SupportedItem[];
  /** Items that the member never bought. */
  readonly newForYou: readonly SupportedItem[];
}

/** Items that are bought with those in a cart. */
export interface CartCompletion extends Recommendation<SupportedItem> {
  /** Items of the cart that are in no counted basket; they have no effect. */
  readonly unknownItemIds: readonly string[];
}

/**
 * Recommends items that the member may buy next: its own items up to the cutoff by frequency, then popular
 * items of the workspace; also the own items alone, and new items by what other members buy with the own
 * ones, then popular ones. The same facts give the same ranking; equal scores are sorted by id. Degraded with
 * fewer than 3 own bought items (PRIOR_DRIVEN, NO_OWN_HISTORY), unavailable (NO_ITEM_HISTORY) if the
 * workspace has fewer than 20.
 *
 * @remarks Source: model API, section 2 "Credits" and "Capability"; requirements M-CRD-07, M-CAP-03
 */
export async function recommendItems(
  ctx: Context,
  memberId: string,
  cutoff: Cutoff,
  limit: number,
): Promise<NextItems> {
  const facts = await factsOf(ctx, memberId, cutoff);
  if (!facts) return { ...unavailable([]), again: [], newForYou: [] };
  const { own, popularity } = facts;
  const found = recommended(facts, rankItems(own, popularity, limit));
  const bought = new Set(own.flat());
  if (own.length === OWN_BASKETS_MAX) {
    const until = new Date(cutoff.ms);
    for (const itemId of await itemsEverBought(ctx, popularity.source, { memberId, until }))
      bought.add(itemId);
  }
  const isWanted = (itemId: string) => !bought.has(itemId);
  const itemItem = await pairsWith(ctx, popularity, mostBoughtItems(own, OWN_ITEMS_MAX), isWanted);
  const newForYou = rankNew({ itemItem, popularity, isWanted }, limit);
  return { ...found, again: rankAgain(own, popularity, limit), newForYou };
}

/**
 * Recommends two or three items that the member may buy together, from the same facts and with the same
 * status as `recommendItems`; also unavailable if there are no two items to combine.
 *
 * @remarks Source: model API, section 2 "Credits" and "Capability"; requirements M-CRD-07, M-CAP-03
 */
export async function recommendBaskets(
  ctx: Context,
  memberId: string,
  cutoff: Cutoff,
  limit: number,
): Promise<Recommendation<RecommendedBasket>> {
  const facts = await factsOf(ctx, memberId, cutoff);
  return facts ? recommended(facts, rankBaskets(facts.own, facts.popularity, limit)) : unavailable([]);
}

/**
 * Recommends items that the member may add to a cart: by how often the member buys them, and by what other
 * members buy with the items in the cart. Limitation UNKNOWN_CART_ITEMS if the cart has items that nobody
 * bought; status and other limitations as of `recommendItems`.
 *
 * @param cart - ids of items; they are not recommended themselves
 * @remarks Source: model API, section 2 "Credits" and "Capability"; requirements M-CRD-07, M-CAP-03
 */
export async function completeCart(
  ctx: Context,
  memberId: string,
  cutoff: Cutoff,
  cart: readonly string[],
  limit: number,
): Promise<CartCompletion> {
  const facts = await factsOf(ctx, memberId, cutoff);
  const itemIds = [...new Set(cart)];
  if (!facts) return { ...unavailable([]), unknownItemIds: itemIds };
  const { own, popularity } = facts;
  const inCart = new Set(itemIds);
  const isWanted = (itemId: string) => !inCart.has(itemId);
  const itemItem = await pairsWith(ctx, popularity, itemIds, isWanted, own.flat());
  const known = new Set(itemItem.given.map(({ itemId }) => itemId));
  const unknownItemIds = itemIds.filter((itemId) => !known.has(itemId));
  const found = recommended(facts, rankAdditions({ itemItem, popularity, isWanted }, own, limit));
  const limitations =
    unknownItemIds.length > 0 ? [...found.limitations, 'UNKNOWN_CART_ITEMS'] : found.limitations;
  return { ...found, limitations, unknownItemIds };
}

/** The input of every recommendation for a member. */
interface MemberFacts {
  readonly popularity: ItemPopularity;
  readonly own: OwnBaskets;
  readonly evidence: readonly EvidenceItem[];
}

/** Null if the workspace sold too little. */
async function factsOf(ctx: Context, memberId: string, cutoff: Cutoff): Promise<MemberFacts | null> {
  const popularity = await itemPopularity(ctx);
  if (!popularity) return null;
  const until = new Date(cutoff.ms);
  const baskets = await basketsOfMember(ctx, popularity.source, { memberId, until }, OWN_BASKETS_MAX);
  const own = baskets.map(({ items }) => items);
  return { popularity, own, evidence: evidenceOf(baskets, popularity) };
}

const pairsWith = (
  ctx: Context,
  popularity: ItemPopularity,
  givenIds: readonly string[],
  isWanted: (itemId: string) => boolean,
  ownIds: readonly string[] = [],
): Promise<ItemItem> => {
  const popular = popularItems(popularity, isWanted).map(([itemId]) => itemId);
  return readItemItem(ctx, popularity.source, givenIds, [...popular, ...ownIds], isWanted);
};

function recommended<Item>({ own, evidence }: MemberFacts, items: readonly Item[]): Recommendation<Item> {
  if (items.length === 0) return unavailable(evidence);
  const reasons = reasonsOf(own.flat().length);
  const status = reasons.length > 0 ? 'DEGRADED' : 'OK';
  return { status, items, evidence, limitations: [...LIMITATIONS, ...reasons] };
}

const unavailable = (evidence: readonly EvidenceItem[]): Recommendation<never> => ({
  status: 'UNAVAILABLE',
  items: [],
  evidence,
  limitations: [...LIMITATIONS, 'NO_ITEM_HISTORY'],
});

function reasonsOf(ownLines: number): string[] {
  if (ownLines === 0) return ['NO_OWN_HISTORY'];
  return ownLines < OWN_LINES_MIN ? ['PRIOR_DRIVEN'] : [];
}

function evidenceOf(baskets: readonly Basket[], popularity: ItemPopularity): EvidenceItem[] {
  const dataThrough = new Date(popularity.dataThrough);
  const ownLines = baskets.reduce((lines, { items }) => lines + items.length, 0);
  return [
    { kind: 'own_lines', value: ownLines, observedAt: baskets[0]?.occurredAt ?? null },
    { kind: 'workspace_lines', value: popularity.lines, observedAt: dataThrough },
    { kind: 'data_through', value: popularity.dataThrough, observedAt: dataThrough },
  ];
}
