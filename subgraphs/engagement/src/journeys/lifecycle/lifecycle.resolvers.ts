import type { MutationResolvers } from '#generated/schema';
import {
  endJourney,
  launchJourney,
  moveJourneyMembers,
  pauseJourney,
  resumeJourney,
} from './run-journey.service.ts';

export const Mutation = {
  launchJourney: (_, { id }, ctx) => launchJourney(ctx, id),
  pauseJourney: (_, { id }, ctx) => pauseJourney(ctx, id),
  resumeJourney: (_, { id }, ctx) => resumeJourney(ctx, id),
  endJourney: (_, { id }, ctx) => endJourney(ctx, id),
  moveJourneyMembers: (_, { id, ...move }, ctx) => moveJourneyMembers(ctx, id, move),
} satisfies MutationResolvers;
