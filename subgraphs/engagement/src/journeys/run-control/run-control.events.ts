import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

const ofJourney = z.object({ journeyId: z.uuid() });

/** A journey was resumed: its members go on, and those who came into its segment meanwhile enter. */
export const journeyResumed = event('engagement.journey_resumed', ofJourney);

/** A journey has ended, and has more members than were let out at once. */
export const journeyEmptyingRequested = event('engagement.journey_emptying_requested', ofJourney);
