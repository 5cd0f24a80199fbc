import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A member visited a store; published once per member, store and day in the store's time zone. */
export const storeVisited = event(
  'store.visited',
  z.object({
    memberId: z.uuid(),
    storeId: z.uuid(),
    visitId: z.uuid(),
    source: z.enum(['QR', 'REDEEM', 'API']),
  }),
  {
    webhook: {
      stage: 'engagement',
      resource: 'visitId',
      label: 'Store visited',
      description: 'A member visited a store. At most once per member, store and day.',
    },
    activity: 'STORE_VISITED',
    changes: ['VISITS', 'MEMBER'],
    trigger: { kind: 'store_visited', label: 'A store was visited', filters: { storeIds: 'storeId' } },
    condition: {
      label: 'Store visits',
      kind: 'VISIT',
      aspect: 'VISITS',
      places: 'store_ids',
      total: 'visit_count',
    },
  },
);
