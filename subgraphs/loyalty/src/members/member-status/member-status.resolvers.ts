import type { MutationResolvers } from '#generated/schema';
import { cancelErasure, requestErasure, reviseMember, setMemberStatus } from './member-status.service.ts';
import { restrictProcessing } from './restriction.service.ts';

export const Mutation = {
  updateMember: (_, { id, input }, ctx) => reviseMember(ctx, id, input),
  setMemberStatus: (_, { id, status }, ctx) => setMemberStatus(ctx, id, status),
  requestErasure: (_, { memberId }, ctx) => requestErasure(ctx, memberId),
  cancelErasure: (_, { memberId }, ctx) => cancelErasure(ctx, memberId),
  restrictProcessing: (_, { memberId, isRestricted }, ctx) => restrictProcessing(ctx, memberId, isRestricted),
} satisfies MutationResolvers;
