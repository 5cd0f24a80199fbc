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

/** What the model ingests about orders, by id. */
export const orderFacts = (ctx: Context, ids: readonly string[]): Promise<OrderFacts[]> =>
  findOrderFacts(ctx, ids);

/**
 * What the model ingests about the orders of an import or of a member, ordered by id.
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

const none: OrderSummary = {
  orders: 0,
  revenueMinor: 0n,
  currency: null,
  firstOrderAt: null,
  lastOrderAt: null,
  averageOrderValueMinor: null,
};

/**
 * What a member bought so far; summaries of many members load together. Sums are in the currency of most
 * orders, because amounts in two currencies cannot be added.
 */
export const orderSummaryOf = async (ctx: Context, memberId: string): Promise<OrderSummary> =>
  (await ctx.load(summaryByMember, memberId)) ?? none;
