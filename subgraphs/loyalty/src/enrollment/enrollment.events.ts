import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/**
 * A person sent a form, and a link must be mailed to the address. If the address was already a member's, the
 * id belongs to no enrollment.
 */
export const enrollmentRequested = event(
  'loyalty.enrollment_requested',
  z.object({ enrollmentId: z.uuid() }),
);

/** A person who joined by a form confirmed the address. */
export const enrollmentConfirmed = event(
  'loyalty.enrollment_confirmed',
  z.object({ memberId: z.uuid(), enrollmentId: z.uuid() }),
  {
    webhook: {
      stage: 'acquisition',
      resource: 'memberId',
      label: 'Enrollment confirmed',
      description: 'Somebody who joined by a form confirmed the address.',
    },
    activity: 'ENROLLMENT_CONFIRMED',
    changes: ['MEMBER', 'CONSENTS'],
    trigger: { kind: 'enrollment_confirmed', label: 'A member confirmed the address' },
  },
);
