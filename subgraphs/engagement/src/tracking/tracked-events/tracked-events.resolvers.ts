import type { MutationResolvers } from '#generated/schema';
import { trackEvents } from './tracked-events.service.ts';

export const Mutation = {
  trackEvents: (_, { events }, ctx) => trackEvents(ctx, events),
} satisfies MutationResolvers;
