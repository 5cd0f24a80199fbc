import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';
import { amountBandSchema } from '../amount-band.ts';

/**
 * An order was refunded, in full or in part. `points` are the earned points that are taken back. The amount
 * is published only as a band of major units.
 */
export const orderRefunded = event(
  'order.refunded',
  z.object({
    orderId: z.uuid(),
    refundId: z.uuid(),
    memberId: z.uuid().nullable(),
    points: z.int(),
    amountBand: amountBandSchema,
  }),
  {
    webhook: {
      stage: 'commerce',
      resource: 'refundId',
      label: 'Order refunded',
      description: 'An order was refunded, in full or in part.',
    },
    activity: 'ORDER_REFUNDED',
    changes: ['ORDERS', 'MEMBER'],
    trigger: { kind: 'order_refunded', label: 'An order was refunded' },
  },
);
