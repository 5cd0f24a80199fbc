import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

const member = z.object({ memberId: z.uuid() });

/** A member became inactive: no activity for 365 days, or the back office said so. */
export const memberInactive = event('member.inactive', member);

/** An active member opted out of marketing. */
export const memberUnsubscribed = event('member.unsubscribed', member);

/** Erasure is due in 30 days unless it is cancelled. */
export const memberErasureRequested = event('member.erasure_requested', member);

export const memberErasureCancelled = event('member.erasure_cancelled', member);

/** Processing of a member's data is restricted at the member's request, or allowed again. */
export const memberRestrictionChanged = event(
  'member.restriction_changed',
  z.object({ memberId: z.uuid(), isRestricted: z.boolean() }),
);

/** A member's personal data is erased; every subgraph that stores some of it erases it now. */
export const memberErased = event('member.erased', member);
