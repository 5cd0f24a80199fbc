import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { activityKinds } from '../events/described-events.ts';
import { forgetActivity, keepActivity } from './activity.service.ts';

/** Keeps the events that are an activity. */
export const keepActivityEvents: EventConsumer = {
  name: 'engagement.keep-activity',
  types: new Set(activityKinds.keys()),
  take: keepActivity,
};

/** For loyalty's event of an erased member. */
export const forgetActivityJob = job(
  'engagement.forget-activity',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetActivity(ctx, memberId),
);
