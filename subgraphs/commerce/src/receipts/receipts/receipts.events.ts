import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A receipt was submitted; its picture waits to be read. */
export const receiptSubmitted = event(
  'receipt.submitted',
  z.object({ receiptId: z.uuid(), memberId: z.uuid() }),
);

/** The one decision about a receipt; `points` are 0 where it was rejected. */
export const receiptProcessed = event(
  'receipt.processed',
  z.object({
    receiptId: z.uuid(),
    memberId: z.uuid(),
    status: z.enum(['APPROVED', 'REJECTED']),
    points: z.int().min(0),
  }),
);
