import { connection } from '@loyalty/platform/loading/pages';
import type { MemberResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import { visibleAttributes } from '../custom-fields/custom-field-values.service.ts';
import { showPersonal } from './members.personal.ts';
import { createMember, findMember, listMembers, referredMember } from './members.service.ts';

export const Query = {
  member: (_, { id }, ctx) => findMember(ctx, id),
  members: async (_, args, ctx) => connection(await listMembers(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  createMember: (_, { input }, ctx) => createMember(ctx, input),
} satisfies MutationResolvers;

export const Member = {
  __resolveReference: ({ id }, ctx) => referredMember(ctx, id),
  email: (member, _, ctx) => showPersonal(ctx, member, 'email'),
  name: (member, _, ctx) => showPersonal(ctx, member, 'name'),
  phone: (member, _, ctx) => showPersonal(ctx, member, 'phone'),
  birthOn: (member, _, ctx) => showPersonal(ctx, member, 'birthOn'),
  customAttributes: (member, _, ctx) => visibleAttributes(ctx, member.customAttributes),
  homeStore: ({ homeStoreId }) => (homeStoreId ? { id: homeStoreId } : null),
  workspace: (_member, _, ctx) => ({ id: ctx.scope.workspaceId }),
} satisfies MemberResolvers;
