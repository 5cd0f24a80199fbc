import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A journey was launched for the first time. */
export const journeyLaunched = event('engagement.journey_launched', z.object({ journeyId: z.uuid() }));
