import type { Context } from '@loyalty/platform/context';
import { findMembers } from '../../members/members.service.ts';
import { recountPopularity } from '../../scoring/recommendations/item-popularity.service.ts';
import {
  type CommerceOrder,
  commerceOrdersPage,
  findCommerceOrders,
  itemIdOf,
  orderFactOf,
} from './commerce-orders.ts';
import { correctOrders } from './corrections.service.ts';
import type { OrderLineFact } from '../facts/fact.ts';
import { appendFacts } from './facts.service.ts';

/** Orders in one question and one transaction. */
const PORTION = 1_000;

/**
 * Learns an order that commerce recorded or changed, as it is now. Guests and members whose data may not be
 * processed are passed over.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function learnOrder(ctx: Context, orderId: string): Promise<void> {
  await learn(ctx, await findCommerceOrders(ctx, [orderId]));
}

/**
 * Learns all orders of an import, or of a member whose data may be processed again; what is known already
 * costs only the question.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function learnOrders(
  ctx: Context,
  of: { readonly importId: string } | { readonly memberId: string },
): Promise<void> {
  let afterId: string | null = null;
  do {
    const orders: CommerceOrder[] = await commerceOrdersPage(ctx, { ...of, afterId, first: PORTION });
    await learn(ctx, orders);
    afterId = orders.length === PORTION ? orders.at(-1)!.id : null;
  } while (afterId);
  await recountPopularity(ctx);
}

async function learn(ctx: Context, orders: readonly CommerceOrder[]): Promise<void> {
  const isOpen = await openMembers(ctx, orders);
  const told = orders.flatMap((order) =>
    order.memberId && isOpen.has(order.memberId) ? [{ order, fact: orderFactOf(order, order.memberId) }] : [],
  );
  const ofGuests = orders
    .filter(({ memberId }) => !memberId)
    .map((order) => ({ ...orderFactOf(order, order.id), memberId: null }));
  await ctx.transaction(async (tx) => {
    const { fresh, same, conflicts } = await appendFacts(
      tx,
      'ORDERS',
      told.map(({ fact }) => fact),
    );
    await appendFacts(
      tx,
      'ORDER_LINES',
      fresh.flatMap((place) => linesOf(told[place]!)),
    );
    const known = [...same, ...conflicts].map((place) => told[place]!.fact);
    await correctOrders(tx, [...known, ...ofGuests]);
  });
}

/** Members of the orders about whom something may be kept; whoever is erased is not found. */
async function openMembers(ctx: Context, orders: readonly CommerceOrder[]): Promise<ReadonlySet<string>> {
  const ids = [...new Set(orders.flatMap(({ memberId }) => memberId ?? []))];
  const members = ids.length > 0 ? await findMembers(ctx, { ids }) : [];
  return new Set(members.filter(({ isRestricted }) => !isRestricted).map(({ id }) => id));
}

function linesOf(told: { order: CommerceOrder; fact: ReturnType<typeof orderFactOf> }): OrderLineFact[] {
  const { memberId, occurredAt, orderId } = told.fact;
  return told.order.items.flatMap((item, index) => {
    const itemId = itemIdOf(item);
    if (!itemId) return [];
    const { quantity, unitPriceMinor } = item;
    const externalId = `${orderId}:${index}`;
    const common = { externalId, memberId, occurredAt, orderId };
    return [{ ...common, itemId, quantity, unitPriceMinor: BigInt(unitPriceMinor) }];
  });
}
