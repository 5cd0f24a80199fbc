import type { QueryResolvers } from '#generated/schema';
import { listAnalysable, listRanges } from './member-scan.service.ts';

export const Query = {
  _memberRanges: (_, wanted, ctx) => listRanges(ctx, wanted),
  _analysableMembers: (_, wanted, ctx) => listAnalysable(ctx, wanted),
} satisfies QueryResolvers;
