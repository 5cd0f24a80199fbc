import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { forgetMemberBrowsers } from './push-subscriptions.service.ts';

/** For loyalty's event of an erased member. */
export const forgetBrowsersJob = job(
  'engagement.forget-browsers',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetMemberBrowsers(ctx, memberId),
);
