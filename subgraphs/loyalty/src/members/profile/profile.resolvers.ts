import type { MemberResolvers } from '#generated/schema';
import { summarizePoints } from './profile.service.ts';

export const Member = {
  pointsSummary: (member, _, ctx) => summarizePoints(ctx, member),
} satisfies MemberResolvers;
