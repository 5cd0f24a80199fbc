import type { MutationResolvers, QueryResolvers } from '#generated/schema';
import { ensureMembers, matchMembers } from './imported-members.service.ts';

export const Query = {
  _matchMembers: (_, { members }, ctx) => matchMembers(ctx, members),
} satisfies QueryResolvers;

export const Mutation = {
  _ensureMembers: (_, { members }, ctx) => ensureMembers(ctx, members),
} satisfies MutationResolvers;
