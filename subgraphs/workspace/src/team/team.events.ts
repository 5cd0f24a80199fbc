import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A workspace was created with its first owner. Published in the new workspace. */
export const workspaceRegistered = event(
  'workspace.registered',
  z.object({ workspaceId: z.uuid(), accountId: z.uuid() }),
);

/** A person was invited; a job sends the mail. */
export const invitationCreated = event('workspace.invitation_created', z.object({ invitationId: z.uuid() }));
