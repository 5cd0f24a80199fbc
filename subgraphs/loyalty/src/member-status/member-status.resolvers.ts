import type { MutationResolvers } from '#generated/schema';
import {
  cancelErasure,
  requestErasure,
  restrictProcessing,
  reviseMember,
  setMemberStatus,
} from './member-status.service.ts';

export const Mutation = {
  updateMember: (_, { id, input, ifUpdatedAt }, ctx) => reviseMember(ctx, id, input, ifUpdatedAt ?? null),
  setMemberStatus: (_, { id, status }, ctx) => setMemberStatus(ctx, id, status),
  requestErasure: (_, { memberId }, ctx) => requestErasure(ctx, memberId),
  cancelErasure: (_, { memberId }, ctx) => cancelErasure(ctx, memberId),
  restrictProcessing: (_, { memberId, isRestricted }, ctx) => restrictProcessing(ctx, memberId, isRestricted),
} satisfies MutationResolvers;
