import { userOf } from '@loyalty/platform/base/caller';
import { startExport } from '@loyalty/platform/exports/exports.service';
import type {
  MemberExportResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import { exportedCoupons } from './exported-coupons.ts';
import { exportedMembers } from './exported-members.ts';
import { exportedPoints } from './exported-points.ts';
import {
  exportContent,
  findMemberExport,
  requestMemberExport,
  watchMemberExport,
} from './member-exports.service.ts';
import type { MemberExport as MemberExportRow } from './member-exports.store.ts';

export const Mutation = {
  startMemberExport: (_, { filter, format }, ctx) =>
    startExport(ctx, exportedMembers, { format, conditions: filter }),
  startPointsExport: (_, { filter, format }, ctx) =>
    startExport(ctx, exportedPoints, { format, conditions: filter }),
  startCouponExport: (_, { filter, format }, ctx) =>
    startExport(ctx, exportedCoupons, { format, conditions: filter }),
  requestMemberExport: (_, { memberId }, ctx) => requestMemberExport(ctx, memberId),
} satisfies MutationResolvers;

export const Query = {
  memberExport: (_, { id }, ctx) => findMemberExport(ctx, id),
} satisfies QueryResolvers;

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
