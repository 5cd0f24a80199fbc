import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A member was enrolled. */
export const memberCreated = event('member.created', z.object({ memberId: z.uuid() }), {
  webhook: {
    stage: 'acquisition',
    resource: 'memberId',
    label: 'Member created',
    description: 'A member was enrolled.',
  },
  activity: 'MEMBER_CREATED',
  changes: ['ALL'],
  trigger: { kind: 'member_created', label: 'A member joined' },
});

/** Details of a member changed; `fields` contains their names as in the graph, also `status`. */
export const memberUpdated = event(
  'member.updated',
  z.object({ memberId: z.uuid(), fields: z.array(z.string()) }),
  {
    webhook: {
      stage: 'engagement',
      resource: 'memberId',
      label: 'Member updated',
      description: 'Details of a member changed.',
    },
    activity: 'MEMBER_UPDATED',
    // Coupons of a captured address belong to the member who has that address now.
    changes: ['MEMBER', 'CUSTOM', 'TIER', 'COUPONS'],
  },
);
