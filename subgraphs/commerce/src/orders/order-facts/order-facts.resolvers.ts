import type { QueryResolvers } from '#generated/schema';
import { orderFacts, orderFactsPage } from './order-facts.service.ts';

export const Query = {
  _orderFacts: (_, { ids }, ctx) => orderFacts(ctx, ids),
  _orderFactsPage: (_, wanted, ctx) => orderFactsPage(ctx, wanted),
} satisfies QueryResolvers;
