import { AppError } from '@loyalty/platform/base/errors';
import type { Context } from '@loyalty/platform/context';
import { publish } from '@loyalty/platform/work/events';
import { job } from '@loyalty/platform/work/jobs';
import { z } from 'zod';
import { getMember, OPEN_STATUSES } from '../members/members.service.ts';
import { bookEarning, bookReversal, isBooked } from './booking.service.ts';
import { orderEarningDeclined } from './points.events.ts';

const orderSource = (orderId: string): string => `order:${orderId}`;

/** Whether the error is that of a member who is erased, or whose erasure is pending. */
const isClosed = (error: unknown): boolean =>
  error instanceof AppError && ['MEMBER_NOT_FOUND', 'MEMBER_CLOSED'].includes(error.code);

/** Runs after commerce's event of a new order: books its points, which commerce computed with the order. */
export const bookOrderJob = job(
  'loyalty.book-order',
  z.object({ orderId: z.uuid(), memberId: z.uuid().nullable(), points: z.int() }),
  async (ctx, { orderId, memberId, points }) => {
    if (!memberId || points < 1) return;
    const booking = { memberId, points, description: `Order ${orderId}`, source: orderSource(orderId) };
    try {
      await bookEarning(ctx, booking);
    } catch (error) {
      if (!isClosed(error)) throw error;
      await publish(ctx, orderEarningDeclined, { orderId });
    }
  },
);

/**
 * Runs after commerce's event of a refund. Events may arrive in any order: while the points of the order may
 * still be booked, the job fails and is retried for some minutes; if they never will be, there is nothing to
 * take back.
 */
export const bookRefundJob = job(
  'loyalty.book-refund',
  z.object({ orderId: z.uuid(), refundId: z.uuid(), memberId: z.uuid().nullable(), points: z.int() }),
  async (ctx, { orderId, refundId, memberId, points }) => {
    if (!memberId || points < 1) return;
    if (!(await isBooked(ctx, orderSource(orderId)))) {
      if (await isOpen(ctx, memberId)) throw new Error('The points of the order are not booked yet.');
      return;
    }
    const source = `refund:${refundId}`;
    try {
      const booking = { memberId, points, description: `Refund of order ${orderId}`, source };
      await bookReversal(ctx, { ...booking, of: orderSource(orderId) });
    } catch (error) {
      if (!isClosed(error)) throw error;
    }
  },
  { retryLimit: 9 },
);

async function isOpen(ctx: Context, memberId: string): Promise<boolean> {
  try {
    const { status } = await getMember(ctx, memberId);
    return (OPEN_STATUSES as readonly string[]).includes(status);
  } catch (error) {
    if (isClosed(error)) return false;
    throw error;
  }
}

/** Errors that a retry cannot solve: the member is gone, or the ledger accepts no more points. */
const FINAL = ['MEMBER_NOT_FOUND', 'MEMBER_CLOSED', 'BALANCE_LIMIT'];

/** Runs after commerce's event of a reviewed receipt; books its points once. */
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
