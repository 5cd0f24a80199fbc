import type { MemberResolvers } from '#generated/schema';
import { orderSummaryOf } from './order-summary.service.ts';

export const Member = {
  orderSummary: ({ id }, _, ctx) => orderSummaryOf(ctx, id),
} satisfies MemberResolvers;
