import type { MemberResolvers } from '#generated/schema';
import { getPendingPoints, listExpiringPoints } from './point-lots.service.ts';

export const Member = {
  pointsPending: ({ id }, _, ctx) => getPendingPoints(ctx, id),
  pointsExpiring: ({ id }, { withinDays }, ctx) => listExpiringPoints(ctx, id, withinDays ?? 30),
} satisfies MemberResolvers;
