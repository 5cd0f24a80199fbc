import type { Scope } from '@loyalty/platform/base/caller';
import { aboutChannel, event } from '@loyalty/platform/work/events';
import { z } from 'zod';

const membership = z.object({ memberId: z.uuid(), segmentId: z.uuid() });

/**
 * A member meets the conditions of a segment from now on, because something happened or time passed. A
 * definition that is new or changed leads to none of these: it must not send mails to thousands.
 */
export const segmentEntered = event('segment.entered', membership, {
  webhook: {
    stage: 'engagement',
    resource: 'segmentId',
    label: 'Segment entered',
    description:
      'A member meets the conditions of a segment from now on. Changes of the conditions lead to none.',
  },
  activity: 'SEGMENT_ENTERED',
  changes: [],
  trigger: {
    kind: 'segment_entered',
    label: 'The member entered a segment',
    filters: { segmentIds: 'segmentId' },
  },
});

/** A member meets the conditions of a segment no longer. A changed definition leads to none of these. */
export const segmentLeft = event('segment.left', membership, {
  webhook: {
    stage: 'engagement',
    resource: 'segmentId',
    label: 'Segment left',
    description:
      'A member meets the conditions of a segment no longer. Changes of the conditions lead to none.',
  },
  activity: 'SEGMENT_LEFT',
  changes: [],
  trigger: { kind: 'segment_left', label: 'The member left a segment', filters: { segmentIds: 'segmentId' } },
});

/** The members of a segment are to be computed from the first to the last. */
export const segmentComputationRequested = event(
  'engagement.segment_computation_requested',
  z.object({ segmentId: z.uuid() }),
);

/** A segment was deleted; its rows are to be. */
export const segmentMembersDropped = event(
  'engagement.segment_members_dropped',
  z.object({ segmentId: z.uuid() }),
);

/** Live channel of a segment: its size changed, or its computation went on. */
export const segmentChannel = (scope: Scope, segmentId: string): string =>
  aboutChannel(scope, 'segment', segmentId);
