import { job } from '@loyalty/platform/work/jobs';
import { sendEnrollmentLink } from './confirmation.service.ts';
import { enrollmentRequested } from './enrollment.events.ts';

export const sendEnrollmentLinkJob = job(
  'loyalty.send-enrollment-link',
  enrollmentRequested.schema,
  (ctx, { enrollmentId }) => sendEnrollmentLink(ctx, enrollmentId),
  { expireInSeconds: 60 },
);
