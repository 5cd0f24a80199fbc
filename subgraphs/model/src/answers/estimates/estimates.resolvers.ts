import type { QueryResolvers } from '#generated/schema';
import { estimateCredits } from './estimates.service.ts';

export const Query = {
  creditEstimate: (_, { input }, ctx) => estimateCredits(ctx, input),
} satisfies QueryResolvers;
