import type { MutationResolvers, TrainingInferenceResolvers } from '#generated/schema';
import { inferTraining } from './inference.service.ts';

export const Mutation = {
  inferTraining: (_, args, ctx) => inferTraining(ctx, args),
} satisfies MutationResolvers;

export const TrainingInference = {
  envelope: ({ inDistribution, version, computedAt, creditsCharged }) => ({
    status: inDistribution ? 'OK' : 'UNAVAILABLE',
    evidence: [],
    limitations: [
      'NOT_CALIBRATED',
      ...(inDistribution ? [] : ['OUT_OF_DISTRIBUTION']),
      ...(version.origin === 'TEST' ? ['TEST_ORIGIN'] : []),
    ],
    modelVersion: version.fingerprint,
    computedAt,
    creditsCharged,
  }),
  scores: ({ inDistribution, objective, value }) =>
    inDistribution && value !== null ? { objective, value } : null,
  applicability: ({ inDistribution, limits }) => ({ inDistribution, limits: [...limits] }),
} satisfies TrainingInferenceResolvers;
