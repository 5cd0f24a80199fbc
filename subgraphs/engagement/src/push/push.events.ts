import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A notification waits to be sent to up to 100 browsers. */
export const pushRequested = event('engagement.push_requested', z.object({ pushBatchId: z.uuid() }));
