import type { QueryResolvers } from '#generated/schema';
import { creditStatistics } from './credit-statistics.service.ts';

export const Query = {
  creditStatistics: async (_, args, ctx) => ({ series: await creditStatistics(ctx, args) }),
} satisfies QueryResolvers;
