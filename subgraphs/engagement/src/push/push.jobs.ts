import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { pushRequested } from './push.events.ts';
import { forgetMemberBrowsers } from './push-subscriptions.service.ts';
import { giveUpBatch, sendBatch } from './send-batch.service.ts';

/** Attempts after the first: with exponential back-off, in about an hour. */
const RETRIES = 10;

export const sendPushJob = job(
  'engagement.send-push',
  pushRequested.schema,
  (ctx, { pushBatchId }) => sendBatch(ctx, pushBatchId),
  { retryLimit: RETRIES, onExhausted: (ctx, { pushBatchId }) => giveUpBatch(ctx, pushBatchId) },
);

/** For loyalty's event of an erased member. */
export const forgetBrowsersJob = job(
  'engagement.forget-browsers',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => forgetMemberBrowsers(ctx, memberId),
);
