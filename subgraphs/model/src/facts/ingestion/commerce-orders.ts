import type { Context } from '@loyalty/platform/context';
import type { OrderFact, OrderFactStatus } from '../facts/fact.ts';

/** An order as the commerce subgraph answers it, from its slice order-facts. */
export interface CommerceOrder {
  readonly id: string;
  readonly externalOrderId: string;
  /** Null for guests. */
  readonly memberId: string | null;
  readonly status: keyof typeof statuses;
  readonly currency: string;
  readonly totalMinor: string;
  readonly refundedMinor: string;
  readonly items: readonly CommerceItem[];
  readonly occurredAt: Date | string;
  readonly updatedAt: Date | string;
}

interface CommerceItem {
  readonly productId: string | null;
  readonly externalProductId: string | null;
  readonly sku: string | null;
  readonly quantity: number;
  readonly unitPriceMinor: number;
}

const statuses = {
  PLACED: 'PENDING',
  PAID: 'PAID',
  FULFILLED: 'COMPLETED',
  PARTIALLY_REFUNDED: 'PARTIALLY_REFUNDED',
  REFUNDED: 'REFUNDED',
  CANCELLED: 'CANCELLED',
} as const satisfies Record<string, OrderFactStatus>;

/** The order of a member as a fact: its amount is what is left after refunds. */
export const orderFactOf = (order: CommerceOrder, memberId: string) =>
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

/** The id of an item in the model; null where it has none. */
export const itemIdOf = ({ externalProductId, sku, productId }: CommerceItem): string | null =>
  externalProductId ?? sku ?? productId;

/** @throws AppError PEER_UNAVAILABLE (503) */
export async function findCommerceOrders(ctx: Context, ids: readonly string[]): Promise<CommerceOrder[]> {
  const query = 'query OrderFacts($ids: [ID!]!) { _orderFacts(ids: $ids) }';
  const answer = await ctx.services.peers.ask(ctx, 'commerce', { query, variables: { ids } });
  return answer['_orderFacts'] as CommerceOrder[];
}

const PAGE = `query OrderFactsPage($importId: ID, $memberId: ID, $afterId: ID, $first: Int!) {
  _orderFactsPage(importId: $importId, memberId: $memberId, afterId: $afterId, first: $first)
}`;

/**
 * Orders of an import or of a member, page by page in the order of their ids.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function commerceOrdersPage(
  ctx: Context,
  wanted: {
    readonly importId?: string;
    readonly memberId?: string;
    readonly afterId: string | null;
    readonly first: number;
  },
): Promise<CommerceOrder[]> {
  const answer = await ctx.services.peers.ask(ctx, 'commerce', { query: PAGE, variables: wanted });
  return answer['_orderFactsPage'] as CommerceOrder[];
}
