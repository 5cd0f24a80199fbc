import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { emptyJourney, forgetRuns, releaseAllRuns } from './run-control.service.ts';
import { letSegmentIn } from './segment-entries.service.ts';

const ofJourney = z.object({ journeyId: z.uuid() });

/** Lets those in who are in the segment of a journey. Some at once: no workspace waits for the largest. */
export const letSegmentInJob = job(
  'engagement.let-segment-in',
  ofJourney,
  (ctx, { journeyId }) => letSegmentIn(ctx, journeyId),
  // A large segment may be computed for some minutes.
  { atOnce: 2, retryLimit: 12 },
);

/** Lets the members of a resumed journey go on. */
export const releaseRunsJob = job('engagement.release-journey-runs', ofJourney, (ctx, { journeyId }) =>
  releaseAllRuns(ctx, journeyId),
);

/** Lets the members of an ended journey out. */
export const emptyJourneyJob = job('engagement.empty-journey', ofJourney, (ctx, { journeyId }) =>
  emptyJourney(ctx, journeyId),
);

/** For loyalty's event of a member who was erased. */
export const forgetRunsJob = job(
  'engagement.forget-journey-runs',
  z.object({ memberId: z.uuid() }),
  (ctx, data) => forgetRuns(ctx, data.memberId),
);
