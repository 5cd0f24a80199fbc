import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A receipt was submitted. A job will read its picture. */
export const receiptSubmitted = event(
  'receipt.submitted',
  z.object({ receiptId: z.uuid(), memberId: z.uuid() }),
  {
    webhook: {
      stage: 'loyalty',
      resource: 'receiptId',
      label: 'Receipt submitted',
      description: 'A receipt was submitted for a member.',
    },
    activity: 'RECEIPT_SUBMITTED',
    changes: ['MEMBER'],
  },
);

/** A receipt was decided. `points` are 0 if it was rejected. */
export const receiptProcessed = event(
  'receipt.processed',
  z.object({
    receiptId: z.uuid(),
    memberId: z.uuid(),
    status: z.enum(['APPROVED', 'REJECTED']),
    points: z.int().min(0),
  }),
  {
    webhook: {
      stage: 'loyalty',
      resource: 'receiptId',
      label: 'Receipt processed',
      description: 'A receipt was approved or rejected.',
    },
    activity: 'RECEIPT_PROCESSED',
    changes: ['MEMBER'],
    trigger: { kind: 'receipt_processed', label: 'A receipt was checked' },
  },
);
