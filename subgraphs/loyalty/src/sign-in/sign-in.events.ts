import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** Somebody wants to sign in. It is published for unknown addresses, too: the work must be the same. */
export const memberSignInRequested = event(
  'loyalty.member_sign_in_requested',
  z.object({
    memberSignInId: z.uuid(),
    /** Whether the mail has a code beside its link. */
    hasCode: z.boolean().default(true),
  }),
);
