import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** An import of members is done; who was enrolled or changed by it is not told one by one. */
export const membersImported = event(
  'members.imported',
  z.object({
    importId: z.uuid(),
    inserted: z.int(),
    updated: z.int(),
    skipped: z.int(),
    failed: z.int(),
  }),
);
