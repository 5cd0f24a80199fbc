import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** Something was decided about a member. */
export const decisionRecorded = event(
  'decision.recorded',
  z.object({ decisionId: z.uuid(), memberId: z.uuid() }),
);

/** Something came of a decision. */
export const outcomeRecorded = event(
  'decision.outcome_recorded',
  z.object({ decisionId: z.uuid(), memberId: z.uuid(), outcomeId: z.uuid() }),
);
