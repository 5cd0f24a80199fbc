import { job } from '@loyalty/platform/jobs';
import { z } from 'zod';
import { readReceipt } from './receipt-reading.service.ts';

/** Long, so that quick jobs do not wait: pictures are read one after the other. */
export const readReceiptJob = job(
  'commerce.read-receipt',
  z.object({ receiptId: z.uuid() }),
  (ctx, { receiptId }) => readReceipt(ctx, receiptId),
  { isLong: true, expireInSeconds: 900 },
);
