import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/**
 * Somebody joined by a form, and a link is to go to the address; where the address was a member's the id is
 * of no enrollment.
 */
export const enrollmentRequested = event(
  'loyalty.enrollment_requested',
  z.object({ enrollmentId: z.uuid() }),
);

/** Whoever joined by a form proved the address. */
export const enrollmentConfirmed = event(
  'loyalty.enrollment_confirmed',
  z.object({ memberId: z.uuid(), enrollmentId: z.uuid() }),
);
