import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { forgetPoints } from './orders.service.ts';

/** For loyalty's event that it could not book the points: the order then shows that it earned none. */
export const forgetPointsJob = job(
  'commerce.forget-order-points',
  z.object({ orderId: z.uuid() }),
  (ctx, { orderId }) => forgetPoints(ctx, orderId),
);
