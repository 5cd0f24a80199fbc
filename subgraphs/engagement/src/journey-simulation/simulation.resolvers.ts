import type { QueryResolvers } from '#generated/schema';
import { simulateJourney } from './simulation.service.ts';

export const Query = {
  simulateJourney: (_, args, ctx) => simulateJourney(ctx, args),
} satisfies QueryResolvers;
