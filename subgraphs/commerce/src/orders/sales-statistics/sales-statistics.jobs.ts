import type { EventConsumer } from '@loyalty/platform/outbox/event-consumer';
import { orderCreated } from '../orders/orders.events.ts';
import { orderRefunded } from '../refunds/refunds.events.ts';
import { countSales } from './sales-statistics.service.ts';

/** Keeps the sales of days. */
export const countSalesConsumer: EventConsumer = {
  name: 'commerce.count-sales',
  types: new Set([orderCreated.type, orderRefunded.type]),
  take: countSales,
};
