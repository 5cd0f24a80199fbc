import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

const amountBand = z.enum(['0-25', '25-50', '50-100', '100-250', '250-500', '500+']);

/**
 * An order was recorded; `points` is what it earns, zero for guests. The amount is told as a band of major
 * units only.
 */
export const orderCreated = event(
  'order.created',
  z.object({
    orderId: z.uuid(),
    memberId: z.uuid().nullable(),
    storeId: z.uuid().nullable(),
    points: z.int(),
    amountBand,
  }),
);
