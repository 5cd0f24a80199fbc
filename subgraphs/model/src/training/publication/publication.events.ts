import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A version is in use from now on. */
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
