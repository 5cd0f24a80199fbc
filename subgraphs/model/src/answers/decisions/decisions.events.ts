import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** A decision about a member was recorded. */
export const decisionRecorded = event(
  'decision.recorded',
  z.object({ decisionId: z.uuid(), memberId: z.uuid() }),
  { activity: 'DECISION_RECORDED' },
);

/** An outcome of a decision was recorded. */
export const outcomeRecorded = event(
  'decision.outcome_recorded',
  z.object({ decisionId: z.uuid(), memberId: z.uuid(), outcomeId: z.uuid() }),
  { activity: 'OUTCOME_RECORDED' },
);
