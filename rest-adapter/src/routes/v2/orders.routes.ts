import {
  CreateOrderDocument,
  CreateOrdersDocument,
  ListOrdersDocument,
  RefundOrderDocument,
} from '#generated/graphql';
import { GET, POST } from '../../table/row.ts';

export const ordersRoutes = [
  GET('/api/v2/orders', ListOrdersDocument),
  POST('/api/v2/orders', CreateOrderDocument, { status: 201 }),
  POST('/api/v2/orders/batch', CreateOrdersDocument, { isBatch: true, itemsField: 'orders' }),
  POST('/api/v2/orders/:externalOrderId/refund', RefundOrderDocument),
];
