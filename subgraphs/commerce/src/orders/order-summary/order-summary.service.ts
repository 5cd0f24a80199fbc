import type { Context } from '@loyalty/platform/context';
import { type OrderSummary, summaryByMember } from './order-summary.store.ts';

const none: OrderSummary = {
  orders: 0,
  revenueMinor: 0n,
  currency: null,
  firstOrderAt: null,
  lastOrderAt: null,
  averageOrderValueMinor: null,
};

/**
 * What a member bought so far; those of many members load together. Sums are of one currency, the one that
 * most of the orders have: money of two currencies does not add up.
 */
export const orderSummaryOf = async (ctx: Context, memberId: string): Promise<OrderSummary> =>
  (await ctx.load(summaryByMember, memberId)) ?? none;
