import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** Points of an order were not booked and never will be: its member was closed or gone when they came. */
export const orderEarningDeclined = event('loyalty.order_earning_declined', z.object({ orderId: z.uuid() }));
