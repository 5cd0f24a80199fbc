import type { Context } from '@loyalty/platform/context';
import type { CountedOrder } from './attribution.store.ts';

/** An order as the commerce subgraph answers it, from its slice order-facts. */
interface OrderAnswer {
  readonly id: string;
  /** Null for guests. */
  readonly memberId: string | null;
  readonly status: string;
  readonly currency: string;
  readonly totalMinor: string;
  readonly refundedMinor: string;
  readonly occurredAt: Date | string;
}

const QUERY = 'query OrdersToAttribute($ids: [ID!]!) { _orderFacts(ids: $ids) }';

/** Orders of these that were cancelled or wholly refunded count for nobody. */
const uncounted: ReadonlySet<string> = new Set(['CANCELLED', 'REFUNDED']);

/**
 * Orders of members as commerce has them now, with what is left after refunds.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function countedOrders(ctx: Context, ids: readonly string[]): Promise<CountedOrder[]> {
  const answer = await ctx.services.peers.ask(ctx, 'commerce', { query: QUERY, variables: { ids } });
  return (answer['_orderFacts'] as OrderAnswer[]).flatMap(({ memberId, status, ...order }) =>
    memberId && !uncounted.has(status)
      ? [
          {
            id: order.id,
            memberId,
            orderedAt: new Date(order.occurredAt),
            currency: order.currency,
            revenueMinor: BigInt(order.totalMinor) - BigInt(order.refundedMinor),
          },
        ]
      : [],
  );
}
