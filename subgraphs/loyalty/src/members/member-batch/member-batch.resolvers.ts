import type { MemberBatchResultResolvers, MutationResolvers } from '#generated/schema';
import { referredMember } from '../members/members.service.ts';
import { upsertMembers } from './member-batch.service.ts';

export const Mutation = {
  upsertMembers: (_, { input }, ctx) => upsertMembers(ctx, input),
} satisfies MutationResolvers;

export const MemberBatchResult = {
  member: ({ memberId }, _, ctx) => (memberId ? referredMember(ctx, memberId) : null),
} satisfies MemberBatchResultResolvers;
