import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** Somebody left an address; `storeId` is the store where it was left. */
export const captureCreated = event(
  'capture.created',
  z.object({ captureId: z.uuid(), storeId: z.uuid().nullable() }),
  {
    webhook: {
      stage: 'acquisition',
      resource: 'captureId',
      label: 'Capture created',
      description: 'Somebody left an address.',
    },
  },
);
