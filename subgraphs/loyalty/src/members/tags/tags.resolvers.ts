import { connection } from '@loyalty/platform/loading/pages';
import type { MemberResolvers, MutationResolvers, QueryResolvers, TagResolvers } from '#generated/schema';
import { listTags, setTagLabel, tagMember, tagMembers, untagMember } from './tags.service.ts';
import { tagById, tagsByMember } from './tags.store.ts';

export const Query = {
  tags: async (_, args, ctx) => connection(await listTags(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  tagMember: (_, { memberId, ...wanted }, ctx) => tagMember(ctx, memberId, wanted),
  untagMember: (_, { memberId, key }, ctx) => untagMember(ctx, memberId, key),
  tagMembers: (_, { memberIds, ...wanted }, ctx) => tagMembers(ctx, memberIds, wanted),
  setTagLabel: (_, { key, label }, ctx) => setTagLabel(ctx, key, label),
} satisfies MutationResolvers;

export const Member = {
  tags: async ({ id }, _, ctx) => (await ctx.load(tagsByMember, id)) ?? [],
} satisfies MemberResolvers;

export const Tag = {
  __resolveReference: ({ id }, ctx) => ctx.load(tagById, id),
} satisfies TagResolvers;
