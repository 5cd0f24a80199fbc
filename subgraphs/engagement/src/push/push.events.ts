import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A batch of notifications to up to 100 browsers was queued. */
export const pushRequested = event('engagement.push_requested', z.object({ pushBatchId: z.uuid() }));
