import type { QueryResolvers } from '#generated/schema';
import { commerceMemberData } from './members.service.ts';

export const Query = {
  _commerceMemberData: (_, { memberId }, ctx) => commerceMemberData(ctx, memberId),
} satisfies QueryResolvers;
