import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { forgetTracking, rotateEventDays } from './tracked-events.service.ts';

/** For loyalty's event of a member who was erased. */
export const forgetTrackingJob = job(
  'engagement.forget-tracking',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetTracking(ctx, memberId),
);

/** Hourly, so that a failed run is repeated long before its partition is needed. */
export const rotateEventDaysJob = job('engagement.rotate-event-days', z.object({}), (ctx) =>
  rotateEventDays(ctx),
);
