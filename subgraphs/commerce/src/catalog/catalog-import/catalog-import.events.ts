import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** An import of products is done; single products tell nothing. */
export const catalogImported = event(
  'catalog.imported',
  z.object({
    importId: z.uuid(),
    inserted: z.int(),
    updated: z.int(),
    skipped: z.int(),
    failed: z.int(),
  }),
);
