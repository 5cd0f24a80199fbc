import type { MutationResolvers } from '#generated/schema';
import { cancelErasure, requestErasure, setMemberStatus } from './member-status.service.ts';

export const Mutation = {
  setMemberStatus: (_, { id, status }, ctx) => setMemberStatus(ctx, id, status),
  requestErasure: (_, { memberId }, ctx) => requestErasure(ctx, memberId),
  cancelErasure: (_, { memberId }, ctx) => cancelErasure(ctx, memberId),
} satisfies MutationResolvers;
