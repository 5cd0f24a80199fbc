import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { sendInvitation } from './invitations.service.ts';
import { sendEndpointDisabled } from './memberships.service.ts';
import { invitationCreated } from './team.events.ts';

export const sendInvitationJob = job(
  'workspace.send-invitation',
  invitationCreated.schema,
  (ctx, { invitationId }) => sendInvitation(ctx, invitationId),
  { expireInSeconds: 60 },
);

/** Runs after engagement disabled a webhook endpoint. */
export const sendEndpointDisabledJob = job(
  'workspace.send-endpoint-disabled',
  z.object({ webhookEndpointId: z.uuid(), reason: z.string() }),
  (ctx, { webhookEndpointId, reason }) => sendEndpointDisabled(ctx, webhookEndpointId, reason),
  { expireInSeconds: 60 },
);
