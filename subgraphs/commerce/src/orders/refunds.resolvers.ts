import type {
  MutationResolvers,
  OrderResolvers,
  RefundOrderPayloadResolvers,
  RefundResolvers,
} from '#generated/schema';
import { moneyOf } from '../money.ts';
import { listRefunds, refundOrder } from './refunds.service.ts';

export const Mutation = {
  refundOrder: (_, { externalOrderId, input }, ctx) => refundOrder(ctx, externalOrderId, input ?? {}),
} satisfies MutationResolvers;

export const Order = {
  refunds: async ({ id, currency }, _, ctx) =>
    (await listRefunds(ctx, id)).map((refund) => ({ ...refund, currency })),
} satisfies OrderResolvers;

export const RefundOrderPayload = {
  refund: ({ order, refund }) => ({ ...refund, currency: order.currency }),
  pointsReversed: ({ refund }) => refund.pointsReversed,
} satisfies RefundOrderPayloadResolvers;

export const Refund = {
  refundId: ({ externalId }) => externalId,
  amount: ({ amountMinor, currency }) => moneyOf(amountMinor, currency),
  items: ({ items, currency }) => items.map((item) => ({ ...item, currency })),
} satisfies RefundResolvers;
