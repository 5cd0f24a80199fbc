import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** An account needs a link to confirm its address. Published under the platform's own workspace. */
export const emailConfirmationRequested = event(
  'workspace.email_confirmation_requested',
  z.object({ accountId: z.uuid() }),
);

/** The person who registered the workspace has confirmed their address. Published in the workspace. */
export const emailConfirmed = event('workspace.email_confirmed', z.object({ workspaceId: z.uuid() }));
