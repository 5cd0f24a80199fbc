import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A sign-in was requested. Published for unknown addresses, too, because the work must be the same. */
export const memberSignInRequested = event(
  'loyalty.member_sign_in_requested',
  z.object({
    memberSignInId: z.uuid(),
    /** Whether the mail has a code in addition to its link. */
    hasCode: z.boolean().default(true),
  }),
);
