import { job } from '@loyalty/platform/outbox/jobs';
import { memberSignInRequested } from './member-sign-in.events.ts';
import { mailSignInCode } from './sign-in-mail.service.ts';

export const mailSignInCodeJob = job(
  'loyalty.mail-sign-in-code',
  memberSignInRequested.schema,
  (ctx, { memberSignInId }) => mailSignInCode(ctx, memberSignInId),
  { expireInSeconds: 60 },
);
