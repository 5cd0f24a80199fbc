import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** An address was captured; `storeId` is the store of the capture. */
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
