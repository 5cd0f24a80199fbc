import { connection } from '@loyalty/platform/loading/pages';
import type { AnalysisResolvers, MemberResolvers } from '#generated/schema';
import { listAnalyses } from './analyses.service.ts';

export const Member = {
  analyses: async ({ id }, args, ctx) => {
    const found = await listAnalyses(ctx, id, args);
    return found && connection(found);
  },
} satisfies MemberResolvers;

export const Analysis = {
  member: ({ memberId }) => ({ id: memberId }),
} satisfies AnalysisResolvers;
