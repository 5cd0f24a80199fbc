import { job } from '@loyalty/platform/work/jobs';
import { memberSignInRequested } from './sign-in.events.ts';
import { mailSignInCode } from './sign-in-mail.service.ts';

export const mailSignInCodeJob = job(
  'loyalty.mail-sign-in-code',
  memberSignInRequested.schema,
  (ctx, { memberSignInId, hasCode }) => mailSignInCode(ctx, memberSignInId, hasCode),
  { expireInSeconds: 60 },
);
