import type { ModelVersionEventResolvers, QueryResolvers } from '#generated/schema';
import { listVersionEvents } from './version-events.service.ts';

export const Query = {
  modelVersionEvents: (_, { kind, first }, ctx) => listVersionEvents(ctx, kind, first),
} satisfies QueryResolvers;

export const ModelVersionEvent = {
  at: ({ createdAt }) => createdAt,
} satisfies ModelVersionEventResolvers;
