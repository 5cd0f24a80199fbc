import {
  CreateOrderDocument,
  CreateOrdersDocument,
  ListOrdersDocument,
  RefundOrderDocument,
} from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

export const ordersRoutes = [
  GET('/api/v2/orders', ListOrdersDocument, { tool: { name: 'orders_list' } }),
  POST('/api/v2/orders', CreateOrderDocument, { tool: { name: 'orders_create' }, status: 201 }),
  POST('/api/v2/orders/batch', CreateOrdersDocument, { isBatch: true, itemsField: 'orders' }),
  POST('/api/v2/orders/:externalOrderId/refund', RefundOrderDocument, {
    tool: { name: 'order_refund', isDestructive: true },
  }),
];
