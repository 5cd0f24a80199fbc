import { event } from '@loyalty/platform/events';
import { z } from 'zod';

/** An import of orders is done. Imported orders are history: each tells nothing by itself and earns nothing. */
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
