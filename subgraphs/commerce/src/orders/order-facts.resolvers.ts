import type { MemberResolvers, QueryResolvers } from '#generated/schema';
import { memberOrders, orderFacts, orderFactsPage, orderSummaryOf } from './order-facts.service.ts';

export const Query = {
  _orderFacts: (_, { ids }, ctx) => orderFacts(ctx, ids),
  _orderFactsPage: (_, wanted, ctx) => orderFactsPage(ctx, wanted),
  _memberOrders: (_, { memberIds, since }, ctx) => memberOrders(ctx, memberIds, since),
} satisfies QueryResolvers;

export const Member = {
  orderSummary: ({ id }, _, ctx) => orderSummaryOf(ctx, id),
} satisfies MemberResolvers;
