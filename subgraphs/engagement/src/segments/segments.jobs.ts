import { job } from '@loyalty/platform/work/jobs';
import { loop } from '@loyalty/platform/work/loops';
import { z } from 'zod';
import {
  computeSegment,
  deleteDropped,
  recordFailedComputation,
  updateDue,
} from '../profiles/computations.service.ts';

const ofSegment = z.object({ segmentId: z.uuid() });

/**
 * Computes all members of a segment. Several run at the same time, so that workspaces do not wait for the
 * largest one.
 */
export const computeSegmentJob = job(
  'engagement.compute-segment',
  ofSegment,
  (ctx, { segmentId }) => computeSegment(ctx, segmentId),
  {
    atOnce: 2,
    onExhausted: (ctx, { segmentId }, failure) => recordFailedComputation(ctx, segmentId, failure),
  },
);

/** Deletes the rows of members of a deleted segment. */
export const dropSegmentMembersJob = job('engagement.drop-segment-members', ofSegment, (ctx, { segmentId }) =>
  deleteDropped(ctx, segmentId),
);

/** Updates memberships that change by the passage of time alone. */
export const updateDueMembershipsLoop = loop('engagement.update-due-memberships', {
  places: 1,
  wakes: null,
  turn: (ctx) => updateDue(ctx),
});
