import { connection } from '@loyalty/platform/database/pages';
import { startExport } from '@loyalty/platform/exports/exports.service';
import type {
  EarningLineResolvers,
  MemberResolvers,
  MutationResolvers,
  OrderBatchResolvers,
  OrderBatchResultResolvers,
  OrderItemResolvers,
  OrderResolvers,
  QueryResolvers,
} from '#generated/schema';
import { getEarningRule } from '../earning-rules/earning-rules.service.ts';
import { moneyOf } from '../money.ts';
import { findStore } from '../stores/stores.service.ts';
import { previewEarning } from './earning-preview.service.ts';
import { exportedOrders } from './exported-orders.ts';
import { createOrder, createOrders, findOrder, listMemberOrders, listOrders } from './orders.service.ts';
import { type Order as OrderRow, orderById } from './orders.store.ts';
import { salesStatistics } from './sales-statistics.service.ts';

export const Query = {
  order: (_, { id }, ctx) => findOrder(ctx, id),
  orders: async (_, args, ctx) => connection(await listOrders(ctx, args)),
  earningPreview: (_, { input }, ctx) => previewEarning(ctx, input),
  salesStatistics: (_, args, ctx) => salesStatistics(ctx, args),
} satisfies QueryResolvers;

export const Mutation = {
  createOrder: (_, { input }, ctx) => createOrder(ctx, input),
  createOrders: (_, { input }, ctx) => createOrders(ctx, input),
  startOrderExport: (_, { filter, format }, ctx) =>
    startExport(ctx, exportedOrders, { format, conditions: filter }),
} satisfies MutationResolvers;

export const Member = {
  orders: async ({ id }, args, ctx) => connection(await listMemberOrders(ctx, id, args)),
} satisfies MemberResolvers;

const part = ({ currency }: OrderRow, amountMinor: bigint | null) =>
  amountMinor === null ? null : moneyOf(amountMinor, currency);

export const Order = {
  __resolveReference: ({ id }, ctx) => ctx.load(orderById, id),
  member: ({ memberId }) => (memberId ? { id: memberId } : null),
  store: ({ storeId }, _, ctx) => (storeId ? findStore(ctx, storeId) : null),
  total: ({ totalMinor, currency }) => moneyOf(totalMinor, currency),
  subtotal: (order) => part(order, order.subtotalMinor),
  discount: (order) => part(order, order.discountMinor),
  tax: (order) => part(order, order.taxMinor),
  shipping: (order) => part(order, order.shippingMinor),
  refundedTotal: ({ refundedMinor, currency }) => moneyOf(refundedMinor, currency),
  items: ({ items, currency }) => items.map((item) => ({ ...item, currency })),
} satisfies OrderResolvers;

export const OrderItem = {
  unitPrice: ({ unitPriceMinor, currency }) => moneyOf(BigInt(unitPriceMinor), currency),
} satisfies OrderItemResolvers;

export const OrderBatch = {
  total: (placed) => placed.length,
  succeeded: (placed) => placed.filter((each) => !('error' in each)).length,
  failed: (placed) => placed.filter((each) => 'error' in each).length,
  results: (placed) => placed.map((each, index) => ({ ...each, index })),
} satisfies OrderBatchResolvers;

export const OrderBatchResult = {
  ok: (placed) => !('error' in placed),
  id: (placed) => ('error' in placed ? null : placed.order.id),
  created: (placed) => ('error' in placed ? null : placed.isCreated),
  error: (placed) => ('error' in placed ? placed.error.message : null),
  errorCode: (placed) => ('error' in placed ? placed.error.code : null),
} satisfies OrderBatchResultResolvers;

export const EarningLine = {
  rule: ({ ruleId }, _, ctx) => getEarningRule(ctx, ruleId),
} satisfies EarningLineResolvers;
