import { job } from '@loyalty/platform/work/jobs';
import { loop } from '@loyalty/platform/work/loops';
import { z } from 'zod';
import {
  computeSegment,
  deleteDropped,
  giveUpComputation,
  updateDue,
} from '../profiles/computations.service.ts';

const ofSegment = z.object({ segmentId: z.uuid() });

/** Computes all members of a segment. Some at once: workspaces do not wait for the largest. */
export const computeSegmentJob = job(
  'engagement.compute-segment',
  ofSegment,
  (ctx, { segmentId }) => computeSegment(ctx, segmentId),
  {
    atOnce: 2,
    onExhausted: (ctx, { segmentId }, failure) => giveUpComputation(ctx, segmentId, failure),
  },
);

/** Deletes who was in a segment that was deleted. */
export const dropSegmentMembersJob = job('engagement.drop-segment-members', ofSegment, (ctx, { segmentId }) =>
  deleteDropped(ctx, segmentId),
);

/** Lets time alone take members into segments and out of them. */
export const updateDueMembershipsLoop = loop('engagement.update-due-memberships', {
  places: 1,
  wakes: null,
  turn: (ctx) => updateDue(ctx),
});
