import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/work/events';
import type { OrderFactsFragment } from '#generated/peers';
import { memberSignalsChanged } from '../member-states/member-states.events.ts';
import { findMembers } from '../members/members.service.ts';
import { questions } from '../peers.ts';
import { recountPopularity } from './bought-items.service.ts';
import { commerceOrdersPage, findCommerceOrders, itemIdOf, orderFactOf } from './commerce-orders.ts';
import { correctOrders } from './corrections.service.ts';
import type { OrderLineFact } from './fact.ts';
import { appendFacts } from './facts.service.ts';

/** Orders per page and transaction. */
const PAGE_SIZE = 1_000;

/**
 * Ingests the current state of an order that commerce recorded or changed. Orders of guests, and of members
 * whose data may not be processed, are left out.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function ingestOrder(ctx: Context, orderId: string): Promise<void> {
  await ingest(ctx, await findCommerceOrders(ctx, [orderId]));
}

/**
 * Ingests all orders of an import, or of a member whose data may be processed again; known orders are only
 * compared.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function ingestOrders(
  ctx: Context,
  of: { readonly importId: string } | { readonly memberId: string },
): Promise<void> {
  let afterId: string | null = null;
  do {
    const orders: readonly OrderFactsFragment[] = await commerceOrdersPage(ctx, {
      ...of,
      afterId,
      first: PAGE_SIZE,
    });
    await ingest(ctx, orders);
    afterId = orders.length === PAGE_SIZE ? orders.at(-1)!.id : null;
  } while (afterId);
  await recountPopularity(ctx);
}

async function ingest(ctx: Context, orders: readonly OrderFactsFragment[]): Promise<void> {
  const processable = await processableMembers(ctx, orders);
  const found = orders.flatMap((order) =>
    order.memberId && processable.has(order.memberId)
      ? [{ order, fact: orderFactOf(order, order.memberId) }]
      : [],
  );
  const ofGuests = orders
    .filter(({ memberId }) => !memberId)
    .map((order) => ({ ...orderFactOf(order, order.id), memberId: null }));
  await ctx.transaction(async (tx) => {
    const { fresh, same, conflicts } = await appendFacts(
      tx,
      'ORDERS',
      found.map(({ fact }) => fact),
    );
    await appendFacts(
      tx,
      'ORDER_LINES',
      fresh.flatMap((place) => linesOf(found[place]!)),
    );
    const known = [...same, ...conflicts].map((place) => found[place]!.fact);
    await correctOrders(tx, [...known, ...ofGuests]);
    const memberIds = [...new Set(found.map(({ fact }) => fact.memberId))];
    if (memberIds.length > 0) await publish(tx, memberSignalsChanged, { memberIds });
  });
}

/** Returns the members of the orders whose data may be processed; erased members are not found. */
async function processableMembers(
  ctx: Context,
  orders: readonly OrderFactsFragment[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(orders.flatMap(({ memberId }) => memberId ?? []))];
  const members = ids.length > 0 ? await findMembers(ctx, { ids }) : [];
  return new Set(members.filter(({ isRestricted }) => !isRestricted).map(({ id }) => id));
}

function linesOf({
  order,
  fact,
}: {
  order: OrderFactsFragment;
  fact: ReturnType<typeof orderFactOf>;
}): OrderLineFact[] {
  const { memberId, occurredAt, orderId } = fact;
  return order.items.flatMap((item, index) => {
    const itemId = itemIdOf(item);
    if (!itemId) return [];
    const { quantity, unitPriceMinor } = item;
    const externalId = `${orderId}:${index}`;
    const common = { externalId, memberId, occurredAt, orderId };
    return [{ ...common, itemId, quantity, unitPriceMinor: BigInt(unitPriceMinor) }];
  });
}

/**
 * Ingests tracked events, each once. Those of members whose data may not be processed are left out.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function ingestTrackedEvents(ctx: Context, eventIds: readonly string[]): Promise<void> {
  const answer = await ctx.services.peers.ask(ctx, 'engagement', questions.TrackedFacts, { eventIds });
  const found = answer._trackedFacts;
  if (found.length === 0) return;
  const members = await findMembers(ctx, { ids: [...new Set(found.map(({ memberId }) => memberId))] });
  const processable = new Set(members.filter(({ isRestricted }) => !isRestricted).map(({ id }) => id));
  const facts = found
    .filter(({ memberId }) => processable.has(memberId))
    .map(({ id, occurredAt, ...fact }) => ({
      ...fact,
      externalId: `tracking:${id}`,
      occurredAt: new Date(occurredAt),
    }));
  await ctx.transaction((tx) => appendFacts(tx, 'EVENTS', facts));
}
