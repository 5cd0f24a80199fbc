import type { Context } from '@loyalty/platform/context';
import { questions } from '../../peers.ts';
import type { CountedOrder } from './attribution.store.ts';

/** Orders of these that were cancelled or wholly refunded count for nobody. */
const uncounted: ReadonlySet<string> = new Set(['CANCELLED', 'REFUNDED']);

/**
 * Orders of members as commerce has them now, with what is left after refunds.
 *
 * @throws AppError PEER_UNAVAILABLE (503)
 */
export async function countedOrders(ctx: Context, ids: readonly string[]): Promise<CountedOrder[]> {
  const answer = await ctx.services.peers.ask(ctx, 'commerce', questions.OrdersToAttribute, { ids });
  return answer._orderFacts.flatMap(({ memberId, status, ...order }) =>
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
