import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/**
 * Somebody asked to reset a password, on the platform's ground; where the address has no account the id is of
 * none.
 */
export const passwordResetRequested = event(
  'workspace.password_reset_requested',
  z.object({ accountId: z.uuid() }),
);
