import type { QueryResolvers } from '#generated/schema';
import { salesStatistics } from './sales-statistics.service.ts';

export const Query = {
  salesStatistics: (_, args, ctx) => salesStatistics(ctx, args),
} satisfies QueryResolvers;
