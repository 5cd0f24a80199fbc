import type { QueryResolvers } from '#generated/schema';
import { trackingStatistics } from './tracking-statistics.service.ts';

export const Query = {
  trackingStatistics: (_, args, ctx) => trackingStatistics(ctx, args),
} satisfies QueryResolvers;
