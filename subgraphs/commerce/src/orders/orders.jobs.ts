import { exportJob } from '@loyalty/platform/exports/export-job';
import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { exportedOrders } from './exported-orders.ts';
import { orderCreated } from './orders.events.ts';
import { clearPoints } from './orders.service.ts';
import { orderRefunded } from './refunds.events.ts';
import { eraseRefundReasons } from './refunds.service.ts';
import { countSales } from './sales-statistics.service.ts';

/** Runs after loyalty's event that the points were not booked. The order then shows that it earned none. */
export const clearPointsJob = job(
  'commerce.forget-order-points',
  z.object({ orderId: z.uuid() }),
  (ctx, { orderId }) => clearPoints(ctx, orderId),
);

/** Writes the file of an export of orders. */
export const exportOrdersJob = exportJob(exportedOrders);

/** Runs after a member was erased. */
export const eraseRefundReasonsJob = job(
  'commerce.forget-refund-reasons',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseRefundReasons(ctx, memberId),
);

/** Updates the sales statistics. */
export const countSalesConsumer: EventConsumer = {
  name: 'commerce.count-sales',
  types: new Set([orderCreated.type, orderRefunded.type]),
  take: countSales,
};
