import type { Context } from '@loyalty/platform/context';
import type { MemberOrders } from '#generated/schema';
import { orderSummaryOf } from '../order-summary/order-summary.service.ts';
import { ordersSince } from './recent-orders.store.ts';

/** What segments know of the orders of members, those since a time listed; members load together. */
export async function memberOrders(
  ctx: Context,
  memberIds: readonly string[],
  since: Date,
): Promise<MemberOrders[]> {
  const recent = new Map(
    (await ordersSince(ctx, memberIds, since)).map(({ memberId, orders }) => [
      memberId,
      orders.map((order) => ({ ...order, at: new Date(order.at) })),
    ]),
  );
  return Promise.all(
    memberIds.map(async (memberId) => {
      const { orders, revenueMinor, firstOrderAt, lastOrderAt } = await orderSummaryOf(ctx, memberId);
      return {
        memberId,
        orderCount: orders,
        orderRevenueMinor: Number(revenueMinor),
        firstOrderAt,
        lastOrderAt,
        orders: recent.get(memberId) ?? [],
      };
    }),
  );
}
