import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** Somebody was invited; the mail is still to be sent. */
export const invitationCreated = event('workspace.invitation_created', z.object({ invitationId: z.uuid() }));
