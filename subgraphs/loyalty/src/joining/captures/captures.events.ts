import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** Somebody left an address; `storeId` where it was left in a store. */
export const captureCreated = event(
  'capture.created',
  z.object({ captureId: z.uuid(), storeId: z.uuid().nullable() }),
);
