import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { ingestTrackedEvents } from './tracked-facts.service.ts';

/** For engagement's event of tracked events of members. */
export const ingestTrackedEventsJob = job(
  'model.ingest-tracked-events',
  z.object({ eventIds: z.array(z.uuid()).min(1).max(1_000) }),
  (ctx, { eventIds }) => ingestTrackedEvents(ctx, eventIds),
);
