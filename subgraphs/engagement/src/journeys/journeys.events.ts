import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A journey was launched for the first time. */
export const journeyLaunched = event('engagement.journey_launched', z.object({ journeyId: z.uuid() }));

const ofJourney = z.object({ journeyId: z.uuid() });

/**
 * A journey was resumed. Its members continue, and members who entered its segment meanwhile enter the
 * journey.
 */
export const journeyResumed = event('engagement.journey_resumed', ofJourney);

/** A journey has ended. A job must end the remaining runs. */
export const journeyEmptyingRequested = event('engagement.journey_emptying_requested', ofJourney);

/** A member reached a webhook node of a journey or an automation. `name` is the name of the node. */
export const journeyStepReached = event(
  'journey.step_reached',
  z.object({
    memberId: z.uuid(),
    journeyId: z.uuid(),
    runId: z.uuid(),
    nodeId: z.string(),
    name: z.string(),
  }),
  {
    webhook: {
      stage: 'engagement',
      resource: 'journeyId',
      label: 'Journey step reached',
      description: 'A member came to a webhook node of a journey, or to such an action of an automation.',
    },
    activity: 'JOURNEY_STEP_REACHED',
    changes: [],
  },
);
