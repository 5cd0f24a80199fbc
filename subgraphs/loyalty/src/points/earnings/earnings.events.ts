import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** Points of an order will never be booked: the member was erased, or the erasure was pending. */
export const orderEarningDeclined = event('loyalty.order_earning_declined', z.object({ orderId: z.uuid() }));
