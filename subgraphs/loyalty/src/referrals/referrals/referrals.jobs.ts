import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { attributeOrder } from './referrals.service.ts';

/** For commerce's event of a new order; those of guests and of members nobody brought count for nobody. */
export const attributeOrderJob = job(
  'loyalty.attribute-order',
  z.object({ orderId: z.uuid(), memberId: z.uuid().nullable() }),
  (ctx, { orderId, memberId }) => attributeOrder(ctx, orderId, memberId),
);
