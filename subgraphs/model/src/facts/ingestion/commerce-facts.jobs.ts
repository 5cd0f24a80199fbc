import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { learnOrder, learnOrders } from './commerce-facts.service.ts';

/** For commerce's events of a new order and of a refund. */
export const ingestOrderJob = job('model.ingest-order', z.object({ orderId: z.uuid() }), (ctx, { orderId }) =>
  learnOrder(ctx, orderId),
);

/** For commerce's event of an import of orders, which tells none of them by itself. */
export const ingestImportedOrdersJob = job(
  'model.ingest-imported-orders',
  z.object({ importId: z.uuid() }),
  (ctx, { importId }) => learnOrders(ctx, { importId }),
  { isLong: true, retryLimit: 20 },
);

/**
 * For loyalty's events of a restriction and of an erasure that was cancelled: what happened while a member's
 * data was not to be processed is learnt afterwards.
 */
export const ingestMemberOrdersJob = job(
  'model.ingest-member-orders',
  z.object({ memberId: z.uuid(), isRestricted: z.boolean().optional() }),
  async (ctx, { memberId, isRestricted }) => {
    if (!isRestricted) await learnOrders(ctx, { memberId });
  },
);
