import { DAY_MS } from '@loyalty/platform/base/clock';
import type { Context } from '@loyalty/platform/context';
import { dropFitBelow } from '../standard-model/fits.service.ts';
import { addUncounted, type UncountedBasket } from './bought-items.store.ts';
import type { EventFact, FactKind, Facts, OrderLineFact } from './fact.ts';

/** Popularity is recounted during an import if the workspace has fewer bought items; otherwise at night. */
export const BOUGHT_AT_ONCE_MAX = 50_000;

/**
 * Records the bought items among facts that were written in this transaction, so that they are counted soon.
 */
export async function noteBoughtItems<Kind extends FactKind>(
  tx: Context,
  kind: Kind,
  facts: readonly Facts[Kind][],
): Promise<void> {
  const baskets = basketsIn(kind, facts);
  if (baskets.length > 0) await addUncounted(tx, baskets);
}

/** Records that orders have changed since they were counted: all baskets are recounted in the next night. */
export const noteCorrectedOrders = (
  tx: Context,
  orders: readonly Omit<UncountedBasket, 'itemIds'>[],
): Promise<void> =>
  addUncounted(
    tx,
    orders.map((order) => ({ ...order, itemIds: [] })),
  );

/**
 * Lets the next reader recount popular items, because an import added facts. A workspace with 50,000 bought
 * items or more is recounted at night.
 */
export const recountPopularity = (tx: Context): Promise<void> =>
  dropFitBelow(tx, 'ITEM_POPULARITY', BOUGHT_AT_ONCE_MAX);

function basketsIn(kind: FactKind, facts: readonly Facts[FactKind][]): UncountedBasket[] {
  if (kind === 'ORDER_LINES') {
    const byOrder = Map.groupBy(facts as readonly OrderLineFact[], ({ orderId }) => orderId);
    return [...byOrder].map(([orderId, lines]) => {
      const { memberId, occurredAt } = lines[0]!;
      return { memberId, orderId, occurredAt, itemIds: lines.map(({ itemId }) => itemId) };
    });
  }
  if (kind !== 'EVENTS') return [];
  const bought = (facts as readonly EventFact[]).flatMap(({ type, itemId, memberId, occurredAt }) =>
    type === 'purchase' && itemId !== null ? [{ memberId, itemId, occurredAt }] : [],
  );
  const dayOf = ({ memberId, occurredAt }: (typeof bought)[number]) =>
    `${memberId} ${Math.floor(occurredAt.getTime() / DAY_MS)}`;
  return [...Map.groupBy(bought, dayOf).values()].map((events) => {
    const { memberId, occurredAt } = events[0]!;
    return { memberId, orderId: null, occurredAt, itemIds: events.map(({ itemId }) => itemId) };
  });
}
