import { invalid } from '@loyalty/platform/base/errors';
import { NO_ID } from '@loyalty/platform/base/ids';
import { between } from '@loyalty/platform/base/input-rules';
import type { Context } from '@loyalty/platform/context';
import type { MemberOrders, OrderFacts } from '#generated/schema';
import {
  findOrderFacts,
  type OrderSummary,
  orderFactsAfter,
  ordersSince,
  summaryByMember,
} from './order-facts.store.ts';

const PAGE_MAX = 1_000;

/** Returns the orders that the model ingests, by id. */
export const orderFacts = (ctx: Context, ids: readonly string[]): Promise<OrderFacts[]> =>
  findOrderFacts(ctx, ids);

/**
 * Returns the orders of an import or of a member that the model ingests, ordered by id.
 *
 * @throws AppError VALIDATION_FAILED (400)
 */
export async function orderFactsPage(
  ctx: Context,
  wanted: {
    readonly importId?: string | null | undefined;
    readonly memberId?: string | null | undefined;
    readonly afterId?: string | null | undefined;
    readonly first: number;
  },
): Promise<OrderFacts[]> {
  const { importId = null, memberId = null, afterId, first } = wanted;
  if (!importId === !memberId) throw invalid('importId', 'or memberId must be given, and not both');
  if (first < 1 || first > PAGE_MAX) throw invalid('first', between(1, PAGE_MAX));
  return orderFactsAfter(ctx, { importId, memberId, afterId: afterId ?? NO_ID, limit: first });
}

/** Returns the order data that segments use: a summary, and the orders since a time. Batched by member. */
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

const none: OrderSummary = {
  orders: 0,
  revenueMinor: 0n,
  currency: null,
  firstOrderAt: null,
  lastOrderAt: null,
  averageOrderValueMinor: null,
};

/**
 * Returns the summary of a member's orders. Batched by member. Sums are in the member's most frequent
 * currency, because amounts in two currencies cannot be added.
 */
export const orderSummaryOf = async (ctx: Context, memberId: string): Promise<OrderSummary> =>
  (await ctx.load(summaryByMember, memberId)) ?? none;
