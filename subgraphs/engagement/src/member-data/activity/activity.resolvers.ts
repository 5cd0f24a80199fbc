import { connection } from '@loyalty/platform/loading/pages';
import type { MemberResolvers, QueryResolvers, SubscriptionResolvers } from '#generated/schema';
import { listActivity, listMemberActivity, watchActivity, watchMember } from './activity.service.ts';
import type { ActivityEntry } from './activity-entry.ts';

export const Query = {
  activity: async (_, args, ctx) => connection(await listActivity(ctx, args)),
} satisfies QueryResolvers;

export const Member = {
  activity: async ({ id }, args, ctx) => connection(await listMemberActivity(ctx, id, args)),
} satisfies MemberResolvers;

export const Subscription = {
  memberActivity: {
    subscribe: (_, { memberId }, ctx) => watchMember(ctx, memberId),
    resolve: (entry: ActivityEntry) => entry,
  },
  workspaceActivity: {
    subscribe: (_, { kinds }, ctx) => watchActivity(ctx, kinds),
    resolve: (entry: ActivityEntry) => entry,
  },
} satisfies SubscriptionResolvers;
