import { queuesFor } from '@loyalty/platform/loading/row-queues';
import type { MutationResolvers } from '#generated/schema';
import { rows } from '../../row-queues.ts';
import { confirmCoupon, releaseCoupon, reserveCoupon } from './coupon-reservations.service.ts';

export const Mutation = {
  reserveCoupon: queuesFor(rows.ofPool, (_, wanted, ctx) => reserveCoupon(ctx, wanted)),
  confirmCoupon: (_, { reservationId }, ctx) => confirmCoupon(ctx, reservationId),
  releaseCoupon: (_, { reservationId }, ctx) => releaseCoupon(ctx, reservationId),
} satisfies MutationResolvers;
