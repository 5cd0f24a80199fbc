import { job } from '@loyalty/platform/outbox/jobs';
import { sendingReleased } from './emergency-stop.events.ts';
import { releaseStopped } from './emergency-stop.service.ts';

/** Lets the many messages go that the emergency stop had held. */
export const releaseStoppedJob = job('engagement.release-stopped', sendingReleased.schema, (ctx) =>
  releaseStopped(ctx),
);
