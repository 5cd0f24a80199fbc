import type { MutationResolvers } from '#generated/schema';
import { performStep } from './journey-steps.service.ts';

export const Mutation = {
  _performJourneyStep: (_, { request }, ctx) => performStep(ctx, request),
} satisfies MutationResolvers;
