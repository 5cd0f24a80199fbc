import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/**
 * States of members were saved, or orders of members were ingested; at most 1,000 members at once. A bulk job
 * publishes its end instead.
 */
export const memberSignalsChanged = event(
  'model.member_signals_changed',
  z.object({ memberIds: z.array(z.uuid()).min(1).max(1_000) }),
  { changes: ['STATE'] },
);
