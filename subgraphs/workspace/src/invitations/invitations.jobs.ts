import { job } from '@loyalty/platform/outbox/jobs';
import { invitationCreated } from './invitations.events.ts';
import { sendInvitation } from './invitations.service.ts';

export const sendInvitationJob = job(
  'workspace.send-invitation',
  invitationCreated.schema,
  (ctx, { invitationId }) => sendInvitation(ctx, invitationId),
  { expireInSeconds: 60 },
);
