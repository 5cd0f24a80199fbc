import type { EventConsumer } from '@loyalty/platform/work/event-consumer';
import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { activityKinds } from '../events/described-events.ts';
import { eraseActivity, keepActivity } from './activity.service.ts';

/** Stores the events that are activities. */
export const keepActivityEvents: EventConsumer = {
  name: 'engagement.keep-activity',
  types: new Set(activityKinds.keys()),
  take: keepActivity,
};

/** Runs after a member was erased. */
export const eraseActivityJob = job(
  'engagement.forget-activity',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseActivity(ctx, memberId),
);
