import type { MemberExportResolvers, MutationResolvers, QueryResolvers } from '#generated/schema';
import { exportContent, findMemberExport, requestMemberExport } from './member-exports.service.ts';

export const Query = {
  memberExport: (_, { id }, ctx) => findMemberExport(ctx, id),
} satisfies QueryResolvers;

export const Mutation = {
  requestMemberExport: (_, { memberId }, ctx) => requestMemberExport(ctx, memberId),
} satisfies MutationResolvers;

export const MemberExport = {
  content: (found, _, ctx) => exportContent(ctx, found),
} satisfies MemberExportResolvers;
