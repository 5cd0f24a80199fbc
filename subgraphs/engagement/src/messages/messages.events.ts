import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** Many messages of a source must be released or cancelled. */
export const sourceChanged = event('engagement.message_source_changed', z.object({ sourceId: z.uuid() }));

/** The emergency stop has ended. Many messages must be released. */
export const sendingReleased = event('engagement.sending_released', z.object({}));
