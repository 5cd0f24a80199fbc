import type { MemberMappingResolvers } from '#generated/schema';

export const MemberMapping = {
  member: ({ memberId }) => ({ id: memberId }),
} satisfies MemberMappingResolvers;
