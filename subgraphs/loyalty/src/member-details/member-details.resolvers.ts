import { connection } from '@loyalty/platform/database/pages';
import type { MemberBatchResultResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import { referredMember } from '../members/members.service.ts';
import { customFieldKeys, mailMembers } from './mail-members.service.ts';
import { upsertMembers } from './member-batch.service.ts';
import { createMember } from './member-details.service.ts';
import { listMembers } from './member-list.service.ts';
import { memberProfiles, memberProfilesPage } from './member-profiles.service.ts';

export const Query = {
  members: async (_, args, ctx) => connection(await listMembers(ctx, args)),
  _memberProfiles: (_, wanted, ctx) => memberProfiles(ctx, wanted),
  _memberProfilesPage: (_, wanted, ctx) => memberProfilesPage(ctx, wanted),
  _mailMembers: (_, { ids }, ctx) => mailMembers(ctx, ids),
  _customFieldKeys: (_parent, _args, ctx) => customFieldKeys(ctx),
} satisfies QueryResolvers;

export const Mutation = {
  createMember: (_, { input }, ctx) => createMember(ctx, input),
  upsertMembers: (_, { input }, ctx) => upsertMembers(ctx, input),
} satisfies MutationResolvers;

export const MemberBatchResult = {
  member: ({ memberId }, _, ctx) => (memberId ? referredMember(ctx, memberId) : null),
} satisfies MemberBatchResultResolvers;
