import type { MemberResolvers, QueryResolvers } from '#generated/schema';
import { showName, showPersonal } from './members.personal.ts';
import { findMember, referredMember } from './members.service.ts';

export const Query = {
  member: (_, { id }, ctx) => findMember(ctx, id),
} satisfies QueryResolvers;

export const Member = {
  __resolveReference: ({ id }, ctx) => referredMember(ctx, id),
  email: (member, _, ctx) => showPersonal(ctx, member, 'email'),
  name: (member, { masked }, ctx) => showName(ctx, member, masked ?? null),
  phone: (member, _, ctx) => showPersonal(ctx, member, 'phone'),
  birthOn: (member, _, ctx) => showPersonal(ctx, member, 'birthOn'),
  homeStore: ({ homeStoreId }) => (homeStoreId ? { id: homeStoreId } : null),
  workspace: (_member, _, ctx) => ({ id: ctx.scope.workspaceId }),
} satisfies MemberResolvers;
