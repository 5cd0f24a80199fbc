import { exportRequested } from '@loyalty/platform/exports/export-definition';
import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';
import { amountBandSchema } from '../amount-band.ts';

/**
 * An order was recorded. `points` are the points that it earns, zero for guests. The amount is published only
 * as a band of major units.
 */
export const orderCreated = event(
  'order.created',
  z.object({
    orderId: z.uuid(),
    memberId: z.uuid().nullable(),
    storeId: z.uuid().nullable(),
    points: z.int(),
    amountBand: amountBandSchema,
  }),
  {
    webhook: {
      stage: 'commerce',
      resource: 'orderId',
      label: 'Order created',
      description: 'An order was recorded.',
    },
    activity: 'ORDER_CREATED',
    changes: ['ORDERS', 'MEMBER'],
    trigger: { kind: 'order_created', label: 'An order was recorded', filters: { storeIds: 'storeId' } },
    condition: {
      label: 'Orders',
      kind: 'ORDER',
      aspect: 'ORDERS',
      places: 'store_ids',
      total: 'order_count',
    },
  },
);

/** An export of orders was requested. A job writes its file. */
export const orderExportRequested = exportRequested('commerce.order_export_requested');
