import { connection } from '@loyalty/platform/loading/pages';
import type { InvitationResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import { findUser } from '../accounts/accounts.service.ts';
import {
  acceptInvitation,
  findInvitationPage,
  inviteUser,
  listInvitations,
  revokeInvitation,
} from './invitations.service.ts';

export const Query = {
  invitationPage: (_, { token }, ctx) => findInvitationPage(ctx, token),
  invitations: async (_, args, ctx) => connection(await listInvitations(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  inviteUser: (_, { input }, ctx) => inviteUser(ctx, input),
  acceptInvitation: (_, { input }, ctx) => acceptInvitation(ctx, input),
  revokeInvitation: (_, { id }, ctx) => revokeInvitation(ctx, id),
} satisfies MutationResolvers;

export const Invitation = {
  invitedBy: ({ invitedById }, _, ctx) => findUser(ctx, invitedById),
  status: ({ acceptedAt, revokedAt, expiresAt }, _, ctx) => {
    if (acceptedAt) return 'ACCEPTED';
    if (revokedAt) return 'REVOKED';
    return expiresAt <= ctx.clock.now() ? 'EXPIRED' : 'PENDING';
  },
} satisfies InvitationResolvers;
