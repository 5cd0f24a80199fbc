import type { Context } from '@loyalty/platform/context';
import {
  completeCart,
  type Recommendation,
  recommendBaskets,
  recommendItems,
} from '../predictions/recommendations.service.ts';
import type { SupportedItem } from '../predictions/supported-items.ts';
import { type EvidenceItem, signalJson } from '../standard-model/standard-state.ts';
import type { Finding, Json } from './finding.ts';
import { analyseMember, headOf, limitationsOf, type MemberAnalysis, scoresIn } from './member-analysis.ts';

interface Wanted {
  readonly member_id: string;
  readonly limit: number;
}

/** Recommends items that a member may buy next, known and new ones, with the member's purchase signal. */
export async function recommendNextItem(ctx: Context, { member_id, limit }: Wanted): Promise<Finding> {
  const analysis = await analyseMember(ctx, member_id);
  const found = await recommendItems(ctx, member_id, analysis.cutoff, limit);
  const items = found.items.map(({ itemId, score, basis }) => ({ item_id: itemId, score, basis }));
  const again = found.again.map(itemJson);
  return findingOf(member_id, analysis, found, { items, again, new_for_you: found.newForYou.map(itemJson) });
}

/** Recommends items that a member may buy together, or add to a cart, with the member's purchase signal. */
export async function recommendBasket(
  ctx: Context,
  { member_id, limit, cart }: Wanted & { readonly cart?: readonly string[] | undefined },
): Promise<Finding> {
  const analysis = await analyseMember(ctx, member_id);
  if (cart) {
    const found = await completeCart(ctx, member_id, analysis.cutoff, cart, limit);
    const additions = found.items.map(itemJson);
    return findingOf(member_id, analysis, found, { additions, unknown_cart_items: found.unknownItemIds });
  }
  const found = await recommendBaskets(ctx, member_id, analysis.cutoff, limit);
  const baskets = found.items.map(({ itemIds, score, basis }) => ({ item_ids: itemIds, score, basis }));
  return findingOf(member_id, analysis, found, { baskets });
}

const itemJson = ({ itemId, score, basis, support, withItemId }: SupportedItem) => ({
  ...{ item_id: itemId, score, basis, support },
  with_item_id: withItemId,
});

/** Without recommendations the finding is unavailable: the purchase signal is neither shown nor charged. */
function findingOf(
  memberId: string,
  analysis: MemberAnalysis,
  found: Recommendation<unknown>,
  recommended: Json,
): Finding {
  const { version, state, cutoff } = analysis;
  const isThere = found.status !== 'UNAVAILABLE';
  return {
    status: found.status,
    evidence: isThere ? together(found.evidence, state.evidence) : found.evidence,
    limitations: isThere
      ? [...new Set([...found.limitations, ...limitationsOf(state, 'purchase')])]
      : found.limitations,
    modelVersion: version,
    data: isThere
      ? { ...headOf(memberId, analysis), purchase: signalJson(state.purchase), ...recommended }
      : null,
    usage: {
      scores: isThere ? scoresIn([state.purchase]) : 0,
      hasDecision: isThere && found.items.length > 0,
    },
    cutoff: new Date(cutoff.ms),
  };
}

/** Merges evidence; of two items of a kind, the recommendations' item is kept. */
const together = (first: readonly EvidenceItem[], second: readonly EvidenceItem[]): EvidenceItem[] => [
  ...first,
  ...second.filter(({ kind }) => first.every((item) => item.kind !== kind)),
];
