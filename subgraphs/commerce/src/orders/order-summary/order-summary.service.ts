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
 * What a member bought so far; summaries of many members load together. Sums are in the currency of most
 * orders, because amounts in two currencies cannot be added.
 */
export const orderSummaryOf = async (ctx: Context, memberId: string): Promise<OrderSummary> =>
  (await ctx.load(summaryByMember, memberId)) ?? none;
