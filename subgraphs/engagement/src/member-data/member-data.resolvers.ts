import type { MemberResolvers, QueryResolvers } from '#generated/schema';
import { emailEngagement, memberData } from './member-data.service.ts';

export const Query = {
  _memberData: (_, { memberId }, ctx) => memberData(ctx, memberId),
} satisfies QueryResolvers;

export const Member = {
  emailEngagement: ({ id }, _, ctx) => emailEngagement(ctx, id),
} satisfies MemberResolvers;
