import { connection } from '@loyalty/platform/database/pages';
import type {
  EvaluationReportResolvers,
  ModelCardResolvers,
  ModelVersionEventResolvers,
  ModelVersionResolvers,
  MutationResolvers,
  QueryResolvers,
  SubscriptionResolvers,
  TrainingInferenceResolvers,
} from '#generated/schema';
import { cardPage } from './card-page.ts';
import { inferTraining } from './inference.service.ts';
import { reliabilityDiagram } from './model-card.ts';
import type { AlignmentTargetName, ModelVersion as Row, TrainingTaskName } from './model-version.ts';
import { publishVersion, unpublishVersion } from './publication.service.ts';
import { evaluationOf, reportStatus } from './report.ts';
import { cardOf, listQueue, listReports, reportOrNull } from './reports.service.ts';
import { listVersionEvents } from './version-events.service.ts';
import {
  cancelVersion,
  deleteVersion,
  getVersion,
  listVersions,
  loadVersion,
  startVersion,
  uploadVersion,
  versionOrNull,
  watchVersion,
} from './versions.service.ts';
import { versionById } from './versions.store.ts';

export const Query = {
  modelVersion: (_, { id }, ctx) => versionOrNull(ctx, { id }),
  modelVersions: async (_, { kind, ...args }, ctx) => connection(await listVersions(ctx, kind, args)),
  modelVersionEvents: (_, { kind, first }, ctx) => listVersionEvents(ctx, kind, first),
  evaluationReport: (_, { versionId, id }, ctx) => reportOrNull(ctx, versionId, id),
  evaluationReports: async (_, { versionId, kind, ...args }, ctx) => {
    const { id } = await getVersion(ctx, { id: versionId, kind });
    return connection(await listReports(ctx, id, args));
  },
  reportQueue: async (_, args, ctx) => connection(await listQueue(ctx, args)),
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
  publishModelVersion: (_, name, ctx) => publishVersion(ctx, name),
  unpublishModelVersion: (_, name, ctx) => unpublishVersion(ctx, name),
  inferTraining: (_, args, ctx) => inferTraining(ctx, args),
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
  card: (version, _, ctx) => cardOf(ctx, version),
} satisfies ModelVersionResolvers;

export const ModelVersionEvent = {
  version: ({ versionId }, _, ctx) => ctx.load(versionById, versionId),
  at: ({ createdAt }) => createdAt,
} satisfies ModelVersionEventResolvers;

export const EvaluationReport = {
  version: async ({ versionId }, _, ctx) => (await loadVersion(ctx, versionId))!,
  status: (report) => reportStatus(report),
  evaluation: (report) => evaluationOf(report),
  content: ({ report }) => report,
} satisfies EvaluationReportResolvers;

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

export const ModelCard = {
  uses: ({ uses }) => [...uses],
  misuses: ({ misuses }) => [...misuses],
  calibration: ({ calibration }) => [...calibration],
  features: ({ features }) => [...features],
  slices: ({ slices }) => [...slices],
  limitations: ({ limitations }) => [...limitations],
  reliabilityDiagram: (card) => reliabilityDiagram(card).markup,
  page: (card) => cardPage(card),
} satisfies ModelCardResolvers;
