import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A file was imported; what was in it is not told one by one. */
export const dataImported = event(
  'data.imported',
  z.object({
    batchId: z.uuid(),
    kind: z.enum(['MEMBERS', 'ORDERS', 'EVENTS', 'ORDER_LINES', 'CHANNEL_RECEIPTS']),
    inserted: z.int(),
    skipped: z.int(),
  }),
);
