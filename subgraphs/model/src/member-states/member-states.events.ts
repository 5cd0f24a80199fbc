import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/**
 * States of members were saved, or orders of members were ingested; at most 1,000 members. A bulk job
 * publishes its end instead.
 */
export const memberSignalsChanged = event(
  'model.member_signals_changed',
  z.object({ memberIds: z.array(z.uuid()).min(1).max(1_000) }),
  { changes: ['STATE'] },
);

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
