import { job } from '@loyalty/platform/outbox/jobs';
import { pushRequested } from './push-sending.events.ts';
import { giveUpBatch, sendBatch } from './send-batch.service.ts';

/** Attempts after the first: with exponential back-off, in about an hour. */
const RETRIES = 10;

export const sendPushJob = job(
  'engagement.send-push',
  pushRequested.schema,
  (ctx, { pushBatchId }) => sendBatch(ctx, pushBatchId),
  { retryLimit: RETRIES, onExhausted: (ctx, { pushBatchId }) => giveUpBatch(ctx, pushBatchId) },
);
