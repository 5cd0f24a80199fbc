import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { releaseStopped } from './emergency-stop.service.ts';
import { sendingReleased, sourceChanged } from './messages.events.ts';
import { eraseMessages } from './messages.service.ts';
import { moveMessagesOf } from './source-messages.service.ts';

/** Runs after a member was erased. */
export const eraseMessagesJob = job(
  'engagement.forget-messages',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseMessages(ctx, memberId),
);

/** Releases the messages that the emergency stop had held. */
export const releaseStoppedJob = job('engagement.release-stopped', sendingReleased.schema, (ctx) =>
  releaseStopped(ctx),
);

/** Releases or cancels the messages of a source. */
export const moveMessagesJob = job('engagement.move-messages', sourceChanged.schema, (ctx, { sourceId }) =>
  moveMessagesOf(ctx, sourceId),
);
