import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { forgetGeofenceEvents } from './location.service.ts';

/** For loyalty's event of a member who was erased. */
export const forgetGeofenceEventsJob = job(
  'engagement.forget-geofence-events',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetGeofenceEvents(ctx, memberId),
);
