import type { QueryResolvers } from '#generated/schema';
import { trackedFacts } from './tracked-facts.service.ts';

export const Query = {
  _trackedFacts: (_, { eventIds }, ctx) => trackedFacts(ctx, eventIds),
} satisfies QueryResolvers;
