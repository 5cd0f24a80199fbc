import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { forgetGeofenceEvents } from './location.service.ts';

/** Runs after a member was erased. */
export const forgetGeofenceEventsJob = job(
  'engagement.forget-geofence-events',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetGeofenceEvents(ctx, memberId),
);
