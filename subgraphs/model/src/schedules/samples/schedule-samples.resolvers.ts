import type { MutationResolvers } from '#generated/schema';
import { appendSamples } from './schedule-samples.service.ts';

export const Mutation = {
  appendTrainingSamples: (_, { input: { scheduleId, ...input } }, ctx) =>
    appendSamples(ctx, scheduleId, input),
} satisfies MutationResolvers;
