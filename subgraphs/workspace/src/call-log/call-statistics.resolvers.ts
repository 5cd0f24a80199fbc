import type { QueryResolvers } from '#generated/schema';
import { callStatistics } from './call-statistics.service.ts';

export const Query = {
  callStatistics: async (_, args, ctx) => ({ series: await callStatistics(ctx, args) }),
} satisfies QueryResolvers;
