import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

const payload = z.object({ memberId: z.uuid(), storeId: z.uuid(), geofenceEventId: z.uuid() });

/** A member came near a store. */
export const nearStore = event('location.near_store', payload);

/** A member stays near a store. */
export const storeDwell = event('location.store_dwell', payload);
