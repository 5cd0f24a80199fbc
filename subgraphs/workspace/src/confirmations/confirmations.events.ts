import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** An account waits for a link that confirms its address; told on the platform's ground. */
export const emailConfirmationRequested = event(
  'workspace.email_confirmation_requested',
  z.object({ accountId: z.uuid() }),
);

/** Whoever registered the workspace has shown that the address is theirs; told in the workspace. */
export const emailConfirmed = event('workspace.email_confirmed', z.object({ workspaceId: z.uuid() }));
