import type { QueryResolvers } from '#generated/schema';
import { programStatistics } from './program-statistics.service.ts';

export const Query = {
  programStatistics: async (_, args, ctx) => ({ series: await programStatistics(ctx, args) }),
} satisfies QueryResolvers;
