import { job } from '@loyalty/platform/work/jobs';
import { emailConfirmationRequested } from './accounts.events.ts';
import { sendEmailConfirmation } from './confirmations.service.ts';

export const sendEmailConfirmationJob = job(
  'workspace.send-email-confirmation',
  emailConfirmationRequested.schema,
  (ctx, { accountId }) => sendEmailConfirmation(ctx, accountId),
  { expireInSeconds: 60 },
);
