import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { eraseTracking, rotateEventDays } from './tracked-events.service.ts';

/** Runs after a member was erased. */
export const eraseTrackingJob = job(
  'engagement.forget-tracking',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseTracking(ctx, memberId),
);

/** Runs hourly, so that a failed run is repeated long before its partition is needed. */
export const rotateEventDaysJob = job('engagement.rotate-event-days', z.object({}), (ctx) =>
  rotateEventDays(ctx),
);
