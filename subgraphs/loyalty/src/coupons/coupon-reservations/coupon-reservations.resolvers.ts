import type { MutationResolvers } from '#generated/schema';
import { confirmCoupon, releaseCoupon, reserveCoupon } from './coupon-reservations.service.ts';

export const Mutation = {
  reserveCoupon: (_, wanted, ctx) => reserveCoupon(ctx, wanted),
  confirmCoupon: (_, { reservationId }, ctx) => confirmCoupon(ctx, reservationId),
  releaseCoupon: (_, { reservationId }, ctx) => releaseCoupon(ctx, reservationId),
} satisfies MutationResolvers;
