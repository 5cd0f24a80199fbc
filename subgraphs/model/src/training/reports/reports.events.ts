import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** An attempt has ended with a report, which waits for its review. */
export const reportReady = event(
  'model.report_ready',
  z.object({
    reportId: z.uuid(),
    modelVersionId: z.uuid(),
    kind: z.enum(['TRAINING', 'ALIGNMENT']),
    subject: z.enum(['RETURN', 'ITEM', 'BASKET', 'TIER', 'PURCHASE', 'CHURN', 'ABANDONMENT']),
    attempt: z.int(),
    passed: z.boolean(),
  }),
  {
    webhook: {
      stage: 'engagement',
      resource: 'reportId',
      label: 'Evaluation report ready',
      description: 'A version that the workspace trains was evaluated. Its report waits for a review.',
    },
  },
);
