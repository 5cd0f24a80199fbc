import { job } from '@loyalty/platform/outbox/jobs';
import { z } from 'zod';
import { expireCouponReservations } from './coupon-reservations.service.ts';

/** Due every minute; looks at all workspaces. Until it comes, overdue codes can be issued all the same. */
export const expireCouponHoldsJob = job(
  'loyalty.expire-coupon-holds',
  z.object({}),
  async (ctx) => void (await expireCouponReservations(ctx)),
);
