import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** An import of orders is done. They are history: none of them tells anything by itself or earns points. */
export const ordersImported = event(
  'orders.imported',
  z.object({
    importId: z.uuid(),
    inserted: z.int(),
    updated: z.int(),
    skipped: z.int(),
    failed: z.int(),
  }),
);
