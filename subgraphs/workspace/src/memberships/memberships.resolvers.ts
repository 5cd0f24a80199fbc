import { connection } from '@loyalty/platform/loading/pages';
import type {
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  TeamMemberResolvers,
  UserResolvers,
} from '#generated/schema';
import { getUser, isAdmin } from '../accounts/accounts.service.ts';
import {
  listMembershipsOf,
  listTeam,
  removeTeamMember,
  setTeamRole,
  watchTeam,
} from './memberships.service.ts';

export const Query = {
  teamMembers: async (_, args, ctx) => connection(await listTeam(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  setTeamRole: (_, { userId, role }, ctx) => setTeamRole(ctx, userId, role),
  removeTeamMember: (_, { userId, revokeKeys }, ctx) => removeTeamMember(ctx, userId, revokeKeys ?? false),
} satisfies MutationResolvers;

export const Subscription = {
  teamChanged: {
    subscribe: (_, __, ctx) => watchTeam(ctx),
    resolve: (changedAt: Date) => changedAt,
  },
} satisfies SubscriptionResolvers;

export const TeamMember = {
  user: ({ id }, _, ctx) => getUser(ctx, id),
} satisfies TeamMemberResolvers;

export const User = {
  memberships: ({ id, isOwn }, _, ctx) =>
    isOwn || isAdmin(ctx.caller) ? listMembershipsOf(ctx, id, isOwn) : null,
} satisfies UserResolvers;
