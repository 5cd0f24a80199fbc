import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A member was in a store; published once per member, store and day in the store's time zone. */
export const storeVisited = event(
  'store.visited',
  z.object({
    memberId: z.uuid(),
    storeId: z.uuid(),
    visitId: z.uuid(),
    source: z.enum(['QR', 'REDEEM', 'API']),
  }),
);
