import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** Many messages of a source are to be given back, or cancelled. */
export const sourceChanged = event('engagement.message_source_changed', z.object({ sourceId: z.uuid() }));

/** The emergency stop ended, and it had held many messages. */
export const sendingReleased = event('engagement.sending_released', z.object({}));
