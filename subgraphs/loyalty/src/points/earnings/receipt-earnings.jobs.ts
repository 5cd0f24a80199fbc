import { AppError } from '@loyalty/platform/errors';
import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { bookEarning } from '../points/booking.service.ts';

/** Errors that a retry cannot solve: the member is gone, or the ledger takes no more points. */
const FINAL = ['MEMBER_NOT_FOUND', 'MEMBER_CLOSED', 'BALANCE_LIMIT'];

/** For commerce's event of a reviewed receipt; books its points once. */
export const bookReceiptJob = job(
  'loyalty.book-receipt',
  z.object({ receiptId: z.uuid(), memberId: z.uuid(), status: z.string(), points: z.int() }),
  async (ctx, { receiptId, memberId, status, points }) => {
    if (status !== 'APPROVED' || points < 1) return;
    const source = `receipt:${receiptId}`;
    try {
      await bookEarning(ctx, { memberId, points, description: 'receipt', source });
    } catch (error) {
      if (!(error instanceof AppError) || !FINAL.includes(error.code)) throw error;
      ctx.log.warn({ receiptId, memberId, reason: error.code }, 'points of a receipt were not booked');
    }
  },
);
