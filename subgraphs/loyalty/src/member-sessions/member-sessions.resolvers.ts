import type { MutationResolvers } from '#generated/schema';
import { startMemberSession } from './member-sessions.service.ts';

export const Mutation = {
  startMemberSession: (_, { memberId }, ctx) => startMemberSession(ctx, memberId),
} satisfies MutationResolvers;
