import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { expireCouponReservations } from './coupon-reservations.service.ts';

/** Runs every minute, for all workspaces. Overdue codes can be issued before it runs, too. */
export const expireCouponHoldsJob = job(
  'loyalty.expire-coupon-holds',
  z.object({}),
  async (ctx) => void (await expireCouponReservations(ctx)),
);
