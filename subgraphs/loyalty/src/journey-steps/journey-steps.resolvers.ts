import type { MutationResolvers } from '#generated/schema';
import type { StepRequest } from './journey-steps.peer.ts';
import { performStep } from './journey-steps.service.ts';

export const Mutation = {
  _performJourneyStep: (_, { request }, ctx) => performStep(ctx, request as StepRequest),
} satisfies MutationResolvers;
