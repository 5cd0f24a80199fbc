import { connection } from '@loyalty/platform/loading/pages';
import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { createMember } from './member-details.service.ts';
import { listMembers } from './member-list.service.ts';

export const Query = {
  members: async (_, args, ctx) => connection(await listMembers(ctx, args)),
} satisfies QueryResolvers;

export const Mutation = {
  createMember: (_, { input }, ctx) => createMember(ctx, input),
} satisfies MutationResolvers;
