import type { Context } from '@loyalty/platform/context';
import { weightAt } from './basket-counts.ts';
import { type ItemItem, likelyPartners } from './item-item.ts';
import { partnersOf, weightsOf } from './item-partners.store.ts';
import type { ItemSource } from './item-popularity.ts';

/**
 * Returns the counts of the given items and of their partners, in two statements.
 *
 * @param also - further items whose baskets are wanted
 * @param isWanted - other partners are left out
 */
export async function readItemItem(
  ctx: Context,
  source: ItemSource,
  givenIds: readonly string[],
  also: readonly string[],
  isWanted: (itemId: string) => boolean,
): Promise<ItemItem> {
  const unit = weightAt(ctx.clock.now());
  const places = new Map(givenIds.map((id, place) => [id, place]));
  const given = (await partnersOf(ctx, source, givenIds)).sort(
    (a, b) => places.get(a.itemId)! - places.get(b.itemId)!,
  );
  const wanted = [...new Set([...likelyPartners(given, unit, isWanted), ...also])];
  const { total, byItem } = await weightsOf(ctx, source, wanted);
  return {
    baskets: total / unit,
    basketsOf: (itemId) => (byItem.get(itemId) ?? 0) / unit,
    given: given.map(({ itemId, weight, partnerIds, partnerWeights }) => {
      const places = partnerIds.flatMap((id, place) => (byItem.has(id) ? [place] : []));
      return {
        itemId,
        weight: weight / unit,
        partnerIds: places.map((place) => partnerIds[place]!),
        partnerWeights: places.map((place) => partnerWeights[place]! / unit),
      };
    }),
  };
}
