import type { Scope } from '@loyalty/platform/base/caller';
import { aboutChannel, event } from '@loyalty/platform/work/events';
import { z } from 'zod';

const membership = z.object({ memberId: z.uuid(), segmentId: z.uuid() });

/**
 * A member now meets the conditions of a segment, because of an event or the passage of time. A new or
 * changed definition does not publish this event, because it would send mails to thousands of members.
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

/** A member no longer meets the conditions of a segment. A changed definition does not publish this event. */
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

/** All members of a segment must be computed. */
export const segmentComputationRequested = event(
  'engagement.segment_computation_requested',
  z.object({ segmentId: z.uuid() }),
);

/** A segment was deleted. Its rows of members must be deleted. */
export const segmentMembersDropped = event(
  'engagement.segment_members_dropped',
  z.object({ segmentId: z.uuid() }),
);

/** Live channel of a segment: its size or the progress of its computation changed. */
export const segmentChannel = (scope: Scope, segmentId: string): string =>
  aboutChannel(scope, 'segment', segmentId);
