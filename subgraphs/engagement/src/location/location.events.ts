import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

const payload = z.object({ memberId: z.uuid(), storeId: z.uuid(), geofenceEventId: z.uuid() });

/** A member came near a store. */
export const nearStore = event('location.near_store', payload, {
  webhook: {
    stage: 'engagement',
    resource: 'geofenceEventId',
    label: 'Near a store',
    description: 'A member came near a store.',
  },
  activity: 'STORE_NEARBY',
  changes: [],
  trigger: { kind: 'near_store', label: 'The member came near a store', filters: { storeIds: 'storeId' } },
});

/** A member stays near a store. */
export const storeDwell = event('location.store_dwell', payload, {
  webhook: {
    stage: 'engagement',
    resource: 'geofenceEventId',
    label: 'Staying near a store',
    description: 'A member stays near a store.',
  },
  activity: 'STORE_DWELL',
  changes: [],
  trigger: { kind: 'store_dwell', label: 'The member stays near a store', filters: { storeIds: 'storeId' } },
});
