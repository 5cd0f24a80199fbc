import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A member came to a webhook node of a journey or an automation; `name` is that of the node. */
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
