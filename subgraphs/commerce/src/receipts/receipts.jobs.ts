import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { failReading, readReceipt } from './receipt-reading.service.ts';
import { eraseReceipts } from './receipts.service.ts';

/** Runs after a member was erased. */
export const eraseReceiptsJob = job(
  'commerce.forget-receipts',
  z.object({ memberId: z.uuid() }),
  (ctx, { memberId }) => eraseReceipts(ctx, memberId),
);

/** Has its own concurrency limit, so that short jobs do not wait for pictures. */
export const readReceiptJob = job(
  'commerce.read-receipt',
  z.object({ receiptId: z.uuid() }),
  (ctx, { receiptId }) => readReceipt(ctx, receiptId),
  { atOnce: 2, expireInSeconds: 900, onExhausted: (ctx, { receiptId }) => failReading(ctx, receiptId) },
);
