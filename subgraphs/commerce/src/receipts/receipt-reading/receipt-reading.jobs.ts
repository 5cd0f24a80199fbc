import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { failReading, readReceipt } from './receipt-reading.service.ts';

/** With a concurrency limit of its own, so that quick jobs do not wait for pictures. */
export const readReceiptJob = job(
  'commerce.read-receipt',
  z.object({ receiptId: z.uuid() }),
  (ctx, { receiptId }) => readReceipt(ctx, receiptId),
  { atOnce: 2, expireInSeconds: 900, onExhausted: (ctx, { receiptId }) => failReading(ctx, receiptId) },
);
