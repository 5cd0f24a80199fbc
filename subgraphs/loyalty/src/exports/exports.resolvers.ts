import { startExport } from '@loyalty/platform/exports/exports.service';
import type { MutationResolvers } from '#generated/schema';
import { exportedCoupons } from './exported-coupons.ts';
import { exportedMembers } from './exported-members.ts';
import { exportedPoints } from './exported-points.ts';

export const Mutation = {
  startMemberExport: (_, { filter, format }, ctx) =>
    startExport(ctx, exportedMembers, { format, conditions: filter }),
  startPointsExport: (_, { filter, format }, ctx) =>
    startExport(ctx, exportedPoints, { format, conditions: filter }),
  startCouponExport: (_, { filter, format }, ctx) =>
    startExport(ctx, exportedCoupons, { format, conditions: filter }),
} satisfies MutationResolvers;
