import { connection } from '@loyalty/platform/loading/pages';
import type {
  ModelVersionEventResolvers,
  ModelVersionResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
} from '#generated/schema';
import type { AlignmentTargetName, ModelVersion as Row, TrainingTaskName } from './model-version.ts';
import {
  cancelVersion,
  deleteVersion,
  listVersions,
  startVersion,
  uploadVersion,
  versionOrNull,
  watchVersion,
} from './versions.service.ts';
import { versionById } from './versions.store.ts';

export const Query = {
  modelVersion: (_, { id }, ctx) => versionOrNull(ctx, { id }),
  modelVersions: async (_, { kind, ...args }, ctx) => connection(await listVersions(ctx, kind, args)),
} satisfies QueryResolvers;

export const Mutation = {
  uploadTraining: (_, { input: { config, ...input } }, ctx) => {
    const { task: subject, featureDefinition: definition, ...rest } = config;
    return uploadVersion(ctx, { ...input, ...rest, kind: 'TRAINING', subject, definition });
  },
  uploadAlignment: (_, { input: { config, ...input } }, ctx) => {
    const { target: subject, ...rest } = config;
    return uploadVersion(ctx, { ...input, ...rest, kind: 'ALIGNMENT', subject });
  },
  startModelVersion: (_, name, ctx) => startVersion(ctx, name),
  cancelModelVersion: (_, name, ctx) => cancelVersion(ctx, name),
  deleteModelVersion: (_, name, ctx) => deleteVersion(ctx, name),
} satisfies MutationResolvers;

export const Subscription = {
  trainingProgress: {
    subscribe: (_, { id }, ctx) => watchVersion(ctx, id),
    resolve: (version: Row) => version,
  },
} satisfies SubscriptionResolvers;

export const ModelVersion = {
  task: ({ kind, subject }) => (kind === 'TRAINING' ? (subject as TrainingTaskName) : null),
  target: ({ kind, subject }) => (kind === 'ALIGNMENT' ? (subject as AlignmentTargetName) : null),
  latestReportId: ({ reportId }) => reportId,
  base: ({ baseId }, _, ctx) => (baseId ? ctx.load(versionById, baseId) : null),
  uploadedBy: ({ actor }) => actor,
} satisfies ModelVersionResolvers;

export const ModelVersionEvent = {
  version: ({ versionId }, _, ctx) => ctx.load(versionById, versionId),
} satisfies ModelVersionEventResolvers;
