import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { pushRequested } from './push.events.ts';
import { eraseMemberBrowsers } from './push-subscriptions.service.ts';
import { deleteFailedBatch, sendBatch } from './send-batch.service.ts';

/** Attempts after the first one, with exponential back-off: about an hour in total. */
const RETRIES = 10;

export const sendPushJob = job(
  'engagement.send-push',
  pushRequested.schema,
  (ctx, { pushBatchId }) => sendBatch(ctx, pushBatchId),
  { retryLimit: RETRIES, onExhausted: (ctx, { pushBatchId }) => deleteFailedBatch(ctx, pushBatchId) },
);

/** Runs after a member was erased. */
export const eraseBrowsersJob = job(
  'engagement.forget-browsers',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseMemberBrowsers(ctx, memberId),
);
