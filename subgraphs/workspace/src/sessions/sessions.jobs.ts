import { job } from '@loyalty/platform/work/jobs';
import { sendPasswordReset } from './passwords.service.ts';
import { passwordResetRequested } from './sessions.events.ts';

export const sendPasswordResetJob = job(
  'workspace.send-password-reset',
  passwordResetRequested.schema,
  (ctx, { accountId }) => sendPasswordReset(ctx, accountId),
  { expireInSeconds: 60 },
);
