import { apiKeyOf, userOf } from '@loyalty/platform/base/caller';
import { connection } from '@loyalty/platform/database/pages';
import type {
  ActivityEntryResolvers,
  MemberResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import { findJourney } from '../journeys/journeys.service.ts';
import { findSegment } from '../segments/segments.service.ts';
import { listActivity, listMemberActivity, watchActivity, watchMember } from './activity.service.ts';
import type { ActivityEntry as ActivityEntryRow } from './activity-entry.ts';

export const Query = {
  activity: async (_, args, ctx) => connection(await listActivity(ctx, args)),
} satisfies QueryResolvers;

export const Member = {
  activity: async ({ id }, args, ctx) => connection(await listMemberActivity(ctx, id, args)),
} satisfies MemberResolvers;

export const ActivityEntry = {
  user: ({ actor }) => userOf(actor),
  apiKey: ({ actor }) => apiKeyOf(actor),
  segment: ({ segmentId }, _, ctx) => (segmentId ? findSegment(ctx, segmentId) : null),
  journey: ({ journeyId }, _, ctx) => (journeyId ? findJourney(ctx, journeyId) : null),
} satisfies ActivityEntryResolvers;

export const Subscription = {
  memberActivity: {
    subscribe: (_, { memberId }, ctx) => watchMember(ctx, memberId),
    resolve: (entry: ActivityEntryRow) => entry,
  },
  workspaceActivity: {
    subscribe: (_, { kinds }, ctx) => watchActivity(ctx, kinds),
    resolve: (entry: ActivityEntryRow) => entry,
  },
} satisfies SubscriptionResolvers;
