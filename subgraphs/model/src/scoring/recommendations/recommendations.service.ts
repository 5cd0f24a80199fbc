import type { Context } from '@loyalty/platform/context';
import type { EvidenceItem, SignalStatus } from '../standard-model/standard-state.ts';
import type { Cutoff } from '../standard-model/statistics-block.ts';
import { type Basket, basketsOfMember } from './baskets.store.ts';
import { itemPopularity } from './item-popularity.service.ts';
import type { ItemPopularity } from './item-popularity.ts';
import {
  type OwnBaskets,
  type RecommendedBasket,
  type RecommendedItem,
  rankBaskets,
  rankItems,
} from './ranking.ts';

/** Recommendations with their evidence; no items where unavailable. */
export interface Recommendation<Item> {
  readonly status: SignalStatus;
  readonly items: readonly Item[];
  readonly evidence: readonly EvidenceItem[];
  readonly limitations: readonly string[];
}

/** The latest baskets of a member that are used. */
const OWN_BASKETS_MAX = 500;
/** Own bought items from which the ranking is the member's and not the workspace's. */
const OWN_LINES_MIN = 3;
const LIMITATIONS = ['NOT_CALIBRATED', 'BASELINE_RANKING'] as const;

/**
 * Items that the member may buy next: its own up to the cutoff by their frequency, then what is popular in
 * the workspace. The same facts give the same ranking, ordered by id where equal. Degraded with less than 3
 * bought items of the member's own (PRIOR_DRIVEN, NO_OWN_HISTORY), unavailable (NO_ITEM_HISTORY) where the
 * workspace has less than 20.
 *
 * @remarks Source: model API, section 2 "Credits" and "Capability"; requirements M-CRD-07, M-CAP-03
 */
export const recommendItems = (
  ctx: Context,
  memberId: string,
  cutoff: Cutoff,
  limit: number,
): Promise<Recommendation<RecommendedItem>> => recommend(ctx, memberId, cutoff, limit, rankItems);

/**
 * Two or three items that the member may buy together, by the same facts and with the same status as
 * `recommendItems`; unavailable, too, where there are no two items to combine.
 *
 * @remarks Source: model API, section 2 "Credits" and "Capability"; requirements M-CRD-07, M-CAP-03
 */
export const recommendBaskets = (
  ctx: Context,
  memberId: string,
  cutoff: Cutoff,
  limit: number,
): Promise<Recommendation<RecommendedBasket>> => recommend(ctx, memberId, cutoff, limit, rankBaskets);

async function recommend<Item>(
  ctx: Context,
  memberId: string,
  cutoff: Cutoff,
  limit: number,
  rank: (own: OwnBaskets, popularity: ItemPopularity, limit: number) => Item[],
): Promise<Recommendation<Item>> {
  const popularity = await itemPopularity(ctx);
  if (!popularity) return unavailable([]);
  const until = new Date(cutoff.ms);
  const baskets = await basketsOfMember(ctx, popularity.source, { memberId, until }, OWN_BASKETS_MAX);
  const own = baskets.map((basket) => basket.items);
  const evidence = evidenceOf(baskets, popularity);
  const items = rank(own, popularity, limit);
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
