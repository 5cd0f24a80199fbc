import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { eraseGeofenceEvents } from './location.service.ts';

/** Runs after a member was erased. */
export const eraseGeofenceEventsJob = job(
  'engagement.forget-geofence-events',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseGeofenceEvents(ctx, memberId),
);
