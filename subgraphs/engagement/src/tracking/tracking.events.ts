import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/**
 * Events that the model ingests were recorded, or became known to be a member's; at most 1,000 at once.
 */
export const trackedEventsRecorded = event(
  'tracking.events_recorded',
  z.object({ eventIds: z.array(z.uuid()).min(1).max(1_000) }),
);
