import { connection } from '@loyalty/platform/loading/pages';
import type { MemberSessionResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import { listMySessions, revokeMySession, signOut } from './my-sessions.service.ts';

export const Query = {
  mySessions: async (_, args, ctx) => connection(await listMySessions(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  revokeMySession: (_, { id }, ctx) => revokeMySession(ctx, id),
  signOut: (_, __, ctx) => signOut(ctx),
} satisfies MutationResolvers;

export const MemberSession = {
  isCurrent: ({ id }, _, { caller }) => caller.memberSessionId === id,
} satisfies MemberSessionResolvers;
