import { event } from '@loyalty/platform/outbox/events';
import { z } from 'zod';

/** Somebody was invited and has not been told yet. */
export const invitationCreated = event('workspace.invitation_created', z.object({ invitationId: z.uuid() }));
