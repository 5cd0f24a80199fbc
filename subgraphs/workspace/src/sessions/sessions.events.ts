import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/**
 * A password reset was requested. Published under the platform's own workspace. If the address has no
 * account, no account has this id.
 */
export const passwordResetRequested = event(
  'workspace.password_reset_requested',
  z.object({ accountId: z.uuid() }),
);
