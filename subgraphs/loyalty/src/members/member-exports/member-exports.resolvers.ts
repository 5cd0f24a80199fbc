import { userOf } from '@loyalty/platform/caller/caller';
import type {
  MemberExportResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import {
  exportContent,
  findMemberExport,
  requestMemberExport,
  watchMemberExport,
} from './member-exports.service.ts';
import type { MemberExport as MemberExportRow } from './member-exports.store.ts';

export const Query = {
  memberExport: (_, { id }, ctx) => findMemberExport(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  requestMemberExport: (_, { memberId }, ctx) => requestMemberExport(ctx, memberId),
} satisfies MutationResolvers;

export const Subscription = {
  memberExportProgress: {
    subscribe: (_, { id }, ctx) => watchMemberExport(ctx, id),
    resolve: (found: MemberExportRow) => found,
  },
} satisfies SubscriptionResolvers;

export const MemberExport = {
  state: ({ status }) => (status === 'PENDING' ? 'QUEUED' : status),
  processed: ({ finishedAt }) => (finishedAt ? 1 : 0),
  total: () => 1,
  failed: ({ status }) => (status === 'FAILED' ? 1 : 0),
  requestedBy: ({ actor }) => userOf(actor),
  content: (found, _, ctx) => exportContent(ctx, found),
} satisfies MemberExportResolvers;
