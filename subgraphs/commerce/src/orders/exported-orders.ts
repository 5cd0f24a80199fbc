import type { ExportDefinition } from '@loyalty/platform/exports/export-definition';
import { z } from 'zod';
import { decimalOf } from '../money.ts';
import { orderExportRequested } from './orders.events.ts';
import { countOrders, type Order, type OrderPlace, orderFilter, ordersBehind } from './orders.service.ts';

const text = z.string().optional();
const filter = z.object({
  ...{ memberId: text, storeId: text, externalOrderId: text },
  status: z.enum(['PLACED', 'PAID', 'FULFILLED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'CANCELLED']).optional(),
  from: z.coerce.date().optional(),
  to: z.coerce.date().optional(),
});

/** The export of orders, sorted by the time at which they were placed, newest first. */
export const exportedOrders: ExportDefinition<z.infer<typeof filter>> = {
  kind: 'ORDERS',
  columns: [
    ...['id', 'external_order_id', 'occurred_at', 'status', 'member_id', 'store_id', 'coupon_id', 'currency'],
    ...['total', 'subtotal', 'discount', 'tax', 'shipping', 'refunded_total', 'points_awarded'],
    ...['points_reversed', 'items', 'created_at'],
  ],
  filter,
  job: 'commerce.export-orders',
  requested: orderExportRequested,
  async open(ctx, conditions) {
    const wanted = orderFilter(conditions, 'filter.to');
    return {
      count: () => countOrders(ctx, wanted),
      async read(tx, after, size) {
        const orders = await ordersBehind(tx, wanted, after ? placeIn(after) : null, size);
        return {
          rows: orders.map(rowOf),
          after: orders.length === size ? textOf(orders.at(-1)!) : null,
        };
      },
    };
  },
};

const textOf = ({ occurredAt, id }: OrderPlace): string => `${occurredAt.toISOString()} ${id}`;

function placeIn(place: string): OrderPlace {
  const [occurredAt, id] = place.split(' ') as [string, string];
  return { occurredAt: new Date(occurredAt), id };
}

function rowOf(order: Order) {
  const { currency } = order;
  const amount = (minor: bigint | null) => (minor === null ? null : decimalOf(minor, currency));
  const items = order.items.map(({ unitPriceMinor, ...item }) => ({
    ...item,
    unitPrice: amount(BigInt(unitPriceMinor)),
  }));
  return [
    ...[order.id, order.externalOrderId, order.occurredAt, order.status, order.memberId, order.storeId],
    ...[order.couponId, currency, amount(order.totalMinor), amount(order.subtotalMinor)],
    ...[amount(order.discountMinor), amount(order.taxMinor), amount(order.shippingMinor)],
    ...[amount(order.refundedMinor), order.pointsAwarded, order.pointsReversed, items, order.createdAt],
  ];
}
