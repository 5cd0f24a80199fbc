import { job } from '@loyalty/platform/outbox/jobs';
import { passwordResetRequested } from './passwords.events.ts';
import { sendPasswordReset } from './passwords.service.ts';

export const sendPasswordResetJob = job(
  'workspace.send-password-reset',
  passwordResetRequested.schema,
  (ctx, { accountId }) => sendPasswordReset(ctx, accountId),
  { expireInSeconds: 60 },
);
