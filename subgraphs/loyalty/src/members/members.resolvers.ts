import { connection } from '@loyalty/platform/database/pages';
import type { MemberResolvers, MutationResolvers, QueryResolvers, TagResolvers } from '#generated/schema';
import { findMember, listAnalysable, listRanges, memberRefs, referredMember } from './members.service.ts';
import { showName, showPersonal } from './personal-fields.ts';
import { listTags, setTagLabel, tagMember, tagMembers, untagMember } from './tags.service.ts';
import { tagById, tagsByMember } from './tags.store.ts';

export const Query = {
  member: (_, { id }, ctx) => findMember(ctx, id),
  tags: async (_, args, ctx) => connection(await listTags(ctx, args)),
  _memberRefs: (_, wanted, ctx) => memberRefs(ctx, wanted),
  _memberRanges: (_, wanted, ctx) => listRanges(ctx, wanted),
  _analysableMembers: (_, wanted, ctx) => listAnalysable(ctx, wanted),
} satisfies QueryResolvers;

export const Member = {
  __resolveReference: ({ id }, ctx) => referredMember(ctx, id),
  email: (member, _, ctx) => showPersonal(ctx, member, 'email'),
  name: (member, { masked }, ctx) => showName(ctx, member, masked ?? null),
  phone: (member, _, ctx) => showPersonal(ctx, member, 'phone'),
  birthOn: (member, _, ctx) => showPersonal(ctx, member, 'birthOn'),
  homeStore: ({ homeStoreId }) => (homeStoreId ? { id: homeStoreId } : null),
  workspace: (_member, _, ctx) => ({ id: ctx.scope.workspaceId }),
  tags: async ({ id }, _, ctx) => (await ctx.load(tagsByMember, id)) ?? [],
} satisfies MemberResolvers;

export const Mutation = {
  tagMember: (_, { memberId, ...wanted }, ctx) => tagMember(ctx, memberId, wanted),
  untagMember: (_, { memberId, key }, ctx) => untagMember(ctx, memberId, key),
  tagMembers: (_, { memberIds, ...wanted }, ctx) => tagMembers(ctx, memberIds, wanted),
  setTagLabel: (_, { key, label }, ctx) => setTagLabel(ctx, key, label),
} satisfies MutationResolvers;

export const Tag = {
  __resolveReference: ({ id }, ctx) => ctx.load(tagById, id),
} satisfies TagResolvers;
