import { connection } from '@loyalty/platform/database/pages';
import type {
  InvitationResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  TeamMemberResolvers,
  UserResolvers,
} from '#generated/schema';
import { findUser, getUser, isAdmin } from '../accounts/accounts.service.ts';
import {
  acceptInvitation,
  findInvitationPage,
  inviteUser,
  listInvitations,
  revokeInvitation,
} from './invitations.service.ts';
import {
  listMembershipsOf,
  listTeam,
  removeTeamMember,
  setTeamRole,
  watchTeam,
} from './memberships.service.ts';
import { register } from './registration.service.ts';

export const Query = {
  teamMembers: async (_, args, ctx) => connection(await listTeam(ctx, args)),
  invitationPage: (_, { token }, ctx) => findInvitationPage(ctx, token),
  invitations: async (_, args, ctx) => connection(await listInvitations(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  setTeamRole: (_, { userId, role }, ctx) => setTeamRole(ctx, userId, role),
  removeTeamMember: (_, { userId, revokeKeys }, ctx) => removeTeamMember(ctx, userId, revokeKeys ?? false),
  inviteUser: (_, { input }, ctx) => inviteUser(ctx, input),
  acceptInvitation: (_, { input }, ctx) => acceptInvitation(ctx, input),
  revokeInvitation: (_, { id }, ctx) => revokeInvitation(ctx, id),
  register: (_, { input }, ctx) => register(ctx, input),
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

export const Invitation = {
  invitedBy: ({ invitedById }, _, ctx) => findUser(ctx, invitedById),
  status: ({ acceptedAt, revokedAt, expiresAt }, _, ctx) => {
    if (acceptedAt) return 'ACCEPTED';
    if (revokedAt) return 'REVOKED';
    return expiresAt <= ctx.clock.now() ? 'EXPIRED' : 'PENDING';
  },
} satisfies InvitationResolvers;
