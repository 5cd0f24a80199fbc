import { connection } from '@loyalty/platform/loading/pages';
import type { MemberSessionResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import { referredMember } from '../members/members.service.ts';
import {
  findMemberOfSession,
  listMemberSessions,
  revokeMemberSession,
  revokeMemberSessions,
  startMemberSession,
} from './member-sessions.service.ts';

export const Query = {
  memberSessions: async (_, { memberId, ...args }, ctx) =>
    connection(await listMemberSessions(ctx, memberId, args)),
  _memberOfSession: (_, { id }, ctx) => findMemberOfSession(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  startMemberSession: (_, { memberId }, ctx) => startMemberSession(ctx, memberId),
  revokeMemberSession: (_, { id }, ctx) => revokeMemberSession(ctx, id),
  revokeMemberSessions: (_, { memberId }, ctx) => revokeMemberSessions(ctx, memberId),
} satisfies MutationResolvers;

export const MemberSession = {
  member: async ({ memberId }, _, ctx) => (await referredMember(ctx, memberId))!,
} satisfies MemberSessionResolvers;
