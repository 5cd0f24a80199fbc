import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** Live channel that wakes workers: a version was started. */
export const ATTEMPTS_CHANNEL = 'training-attempts';

/** A version was published. */
export const versionPublished = event(
  'model.version_published',
  z.object({
    modelVersionId: z.uuid(),
    kind: z.enum(['TRAINING', 'ALIGNMENT']),
    subject: z.enum(['RETURN', 'ITEM', 'BASKET', 'TIER', 'PURCHASE', 'CHURN', 'ABANDONMENT']),
    origin: z.enum(['TEST', 'LIVE']),
    fingerprint: z.string(),
  }),
  {
    webhook: {
      stage: 'engagement',
      resource: 'modelVersionId',
      label: 'Model version published',
      description: 'A version that the workspace trained is in use from now on.',
    },
  },
);

/** An attempt has ended with a report that waits for its review. */
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
