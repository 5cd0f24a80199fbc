import { job } from '@loyalty/platform/outbox/jobs';
import { moveMessagesOf } from './source-messages.service.ts';
import { sourceChanged } from './sources.events.ts';

/** Gives back, or cancels, the many messages of a source. */
export const moveMessagesJob = job('engagement.move-messages', sourceChanged.schema, (ctx, { sourceId }) =>
  moveMessagesOf(ctx, sourceId),
);
