import type { Context } from '@loyalty/platform/context';
import type {
  OrderFactsFragment,
  OrderFactsItemFragment,
  OrderFactsPageQueryVariables,
  OrderStatus,
} from '#generated/peers';
import { questions } from '../peers.ts';
import type { OrderFact, OrderFactStatus } from './fact.ts';

const statuses = {
  PLACED: 'PENDING',
  PAID: 'PAID',
  FULFILLED: 'COMPLETED',
  PARTIALLY_REFUNDED: 'PARTIALLY_REFUNDED',
  REFUNDED: 'REFUNDED',
  CANCELLED: 'CANCELLED',
} as const satisfies Record<OrderStatus, OrderFactStatus>;

/** Returns the order of a member as a fact. Its amount is what is left after refunds. */
export const orderFactOf = (order: OrderFactsFragment, memberId: string) =>
  ({
    externalId: order.externalOrderId,
    orderId: order.id,
    memberId,
    occurredAt: new Date(order.occurredAt),
    amountMinor: BigInt(order.totalMinor) - BigInt(order.refundedMinor),
    currency: order.currency,
    status: statuses[order.status],
    recordedAt: new Date(order.updatedAt),
  }) satisfies OrderFact;

/** Returns the id of an item in the model; null if it has none. */
export const itemIdOf = ({ externalProductId, sku, productId }: OrderFactsItemFragment): string | null =>
  externalProductId ?? sku ?? productId;

/** @throws AppError PEER_UNAVAILABLE (503) */
export async function findCommerceOrders(
  ctx: Context,
  ids: readonly string[],
): Promise<readonly OrderFactsFragment[]> {
  return (await ctx.services.peers.ask(ctx, 'commerce', questions.OrderFacts, { ids }))._orderFacts;
}

/**
 * Returns one page of the orders of an import or of a member, sorted by id.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function commerceOrdersPage(
  ctx: Context,
  wanted: OrderFactsPageQueryVariables,
): Promise<readonly OrderFactsFragment[]> {
  const answer = await ctx.services.peers.ask(ctx, 'commerce', questions.OrderFactsPage, wanted);
  return answer._orderFactsPage;
}
