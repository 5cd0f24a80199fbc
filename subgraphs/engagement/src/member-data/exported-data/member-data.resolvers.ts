import type { QueryResolvers } from '#generated/schema';
import { memberData } from './member-data.service.ts';

export const Query = {
  _memberData: (_, { memberId }, ctx) => memberData(ctx, memberId),
} satisfies QueryResolvers;
