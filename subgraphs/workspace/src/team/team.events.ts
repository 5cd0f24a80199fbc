import { event } from '@loyalty/platform/work/events';
import { z } from 'zod';

/** A workspace exists, with its first owner. Published inside the new workspace. */
export const workspaceRegistered = event(
  'workspace.registered',
  z.object({ workspaceId: z.uuid(), accountId: z.uuid() }),
);

/** Somebody was invited; the mail is still to be sent. */
export const invitationCreated = event('workspace.invitation_created', z.object({ invitationId: z.uuid() }));
