import type { MemberMappingResolvers, QueryResolvers } from '#generated/schema';
import { memberData } from '../member-data.service.ts';

export const MemberMapping = {
  member: ({ memberId }) => ({ id: memberId }),
} satisfies MemberMappingResolvers;

export const Query = {
  _modelMemberData: (_, { memberId }, ctx) => memberData(ctx, memberId),
} satisfies QueryResolvers;
