import type { QueryResolvers } from '#generated/schema';
import { customFieldKeys, mailMembers } from './mail-members.service.ts';

export const Query = {
  _mailMembers: (_, { ids }, ctx) => mailMembers(ctx, ids),
  _customFieldKeys: (_parent, _args, ctx) => customFieldKeys(ctx),
} satisfies QueryResolvers;
