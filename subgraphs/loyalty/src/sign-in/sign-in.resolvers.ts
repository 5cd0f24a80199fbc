import { connection } from '@loyalty/platform/database/pages';
import type { MemberSessionResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import { referredMember } from '../members/members.service.ts';
import {
  findMemberOfSession,
  listMemberSessions,
  listMySessions,
  revokeMemberSession,
  revokeMemberSessions,
  revokeMySession,
  signOut,
  startMemberSession,
} from './member-sessions.service.ts';
import { completeMemberSignIn, completeMemberSignInByToken, startMemberSignIn } from './sign-in.service.ts';

export const Mutation = {
  startMemberSignIn: (_, { input }, ctx) => startMemberSignIn(ctx, input),
  completeMemberSignIn: (_, { id, code }, ctx) => completeMemberSignIn(ctx, id, code),
  completeMemberSignInByToken: (_, { token }, ctx) => completeMemberSignInByToken(ctx, token),
  startMemberSession: (_, { memberId }, ctx) => startMemberSession(ctx, memberId),
  revokeMemberSession: (_, { id }, ctx) => revokeMemberSession(ctx, id),
  revokeMemberSessions: (_, { memberId }, ctx) => revokeMemberSessions(ctx, memberId),
  revokeMySession: (_, { id }, ctx) => revokeMySession(ctx, id),
  signOut: (_, __, ctx) => signOut(ctx),
} satisfies MutationResolvers;

export const Query = {
  memberSessions: async (_, { memberId, ...args }, ctx) =>
    connection(await listMemberSessions(ctx, memberId, args)),
  _memberOfSession: (_, { id }, ctx) => findMemberOfSession(ctx, id),
  mySessions: async (_, args, ctx) => connection(await listMySessions(ctx, args)),
} satisfies QueryResolvers;

export const MemberSession = {
  member: async ({ memberId }, _, ctx) => (await referredMember(ctx, memberId))!,
  isCurrent: ({ id }, _, { caller }) => caller.memberSessionId === id,
} satisfies MemberSessionResolvers;
