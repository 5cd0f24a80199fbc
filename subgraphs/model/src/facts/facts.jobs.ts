import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { ingestOrder, ingestOrders, ingestTrackedEvents } from './ingestion.service.ts';

/** Ingests an order after commerce's event of a new order or a refund. */
export const ingestOrderJob = job('model.ingest-order', z.object({ orderId: z.uuid() }), (ctx, { orderId }) =>
  ingestOrder(ctx, orderId),
);

/** Ingests orders after commerce's event of an import; imported orders have no events of their own. */
export const ingestImportedOrdersJob = job(
  'model.ingest-imported-orders',
  z.object({ importId: z.uuid() }),
  (ctx, { importId }) => ingestOrders(ctx, { importId }),
  { isLong: true, retryLimit: 20 },
);

/**
 * Ingests a member's orders after loyalty's events of a restriction and of a cancelled erasure: orders made
 * while the member's data could not be processed are ingested afterwards.
 */
export const ingestMemberOrdersJob = job(
  'model.ingest-member-orders',
  z.object({ memberId: z.uuid(), isRestricted: z.boolean().optional() }),
  async (ctx, { memberId, isRestricted }) => {
    if (!isRestricted) await ingestOrders(ctx, { memberId });
  },
);

/** Ingests events after engagement's event of tracked events of members. */
export const ingestTrackedEventsJob = job(
  'model.ingest-tracked-events',
  z.object({ eventIds: z.array(z.uuid()).min(1).max(1_000) }),
  (ctx, { eventIds }) => ingestTrackedEvents(ctx, eventIds),
);
