import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';
import { amountBandSchema } from '../../money/amount-band.ts';

/**
 * Money of an order was given back; `points` is what it takes back of what the order earned. The amount is
 * told as a band of major units only.
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
);
