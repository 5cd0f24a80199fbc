import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

const member = z.object({ memberId: z.uuid() });

/** A member became inactive: no activity for 365 days, or staff set the status. */
export const memberInactive = event('member.inactive', member, {
  webhook: {
    stage: 'retention',
    resource: 'memberId',
    label: 'Member inactive',
    description: 'A member has been inactive for 365 days, or was set inactive.',
  },
  activity: 'MEMBER_INACTIVE',
  changes: ['MEMBER'],
  trigger: { kind: 'member_inactive', label: 'A member became inactive' },
});

/** An active member opted out of marketing. */
export const memberUnsubscribed = event('member.unsubscribed', member, {
  webhook: {
    stage: 'retention',
    resource: 'memberId',
    label: 'Member unsubscribed',
    description: 'A member opted out of marketing.',
  },
  activity: 'MEMBER_UNSUBSCRIBED',
  changes: ['MEMBER', 'CONSENTS'],
});

/** An erasure was requested. It is due in 30 days unless it is cancelled. */
export const memberErasureRequested = event('member.erasure_requested', member, {
  webhook: {
    stage: 'retention',
    resource: 'memberId',
    label: 'Erasure requested',
    description: 'A member will be erased in 30 days.',
  },
  activity: 'ERASURE_REQUESTED',
  // The data of the model is hidden, or visible again.
  changes: ['ALL'],
});

export const memberErasureCancelled = event('member.erasure_cancelled', member, {
  webhook: {
    stage: 'retention',
    resource: 'memberId',
    label: 'Erasure cancelled',
    description: 'The requested erasure of a member was cancelled.',
  },
  activity: 'ERASURE_CANCELLED',
  // The data of the model is hidden, or visible again.
  changes: ['ALL'],
});

/** The processing of a member's data was restricted at the member's request, or allowed again. */
export const memberRestrictionChanged = event(
  'member.restriction_changed',
  z.object({ memberId: z.uuid(), isRestricted: z.boolean() }),
  {
    webhook: {
      stage: 'retention',
      resource: 'memberId',
      label: 'Restriction changed',
      description: "Processing of a member's data was restricted or allowed again.",
    },
    activity: 'RESTRICTION_CHANGED',
    // The data of the model is hidden, or visible again.
    changes: ['ALL'],
  },
);

/** A member's personal data was erased; every subgraph that stores some of it must erase it now. */
export const memberErased = event('member.erased', member, {
  webhook: {
    stage: 'retention',
    resource: 'memberId',
    label: 'Member erased',
    description: 'The personal data of a member were erased.',
  },
  activity: 'MEMBER_ERASED',
  changes: ['ALL'],
});
