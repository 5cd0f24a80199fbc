import type {
  EvaluationReportResolvers,
  MetricDifferenceResolvers,
  MutationResolvers,
  QueryResolvers,
  ReviewSeparationResolvers,
  VersionDifferenceResolvers,
  WeightDifferenceResolvers,
} from '#generated/schema';
import { movesOf } from './decile-moves.service.ts';
import { changeOf, differenceOf, isBeyondBounds, metricsOf, weightsOf } from './differences.service.ts';
import { isSeparationEffective, isSeparationRequired, setSeparation } from './review-separation.service.ts';
import { approveReport, rejectReport } from './reviews.service.ts';

export const Query = {
  reviewSeparation: (_, __, ctx) => isSeparationRequired(ctx),
  reviewSeparationState: async (_, __, ctx) => ({ isRequired: await isSeparationRequired(ctx) }),
} satisfies QueryResolvers;

export const Mutation = {
  approveReport: (_, { input: { versionId: id, ...review } }, ctx) => approveReport(ctx, { id, ...review }),
  rejectReport: (_, { input: { versionId: id, ...review } }, ctx) => rejectReport(ctx, { id, ...review }),
  setReviewSeparation: (_, { isRequired }, ctx) => setSeparation(ctx, isRequired),
  changeReviewSeparation: async (_, { isRequired }, ctx) => ({
    isRequired: await setSeparation(ctx, isRequired),
  }),
} satisfies MutationResolvers;

export const ReviewSeparation = {
  isEffective: (separation, _, ctx) => isSeparationEffective(ctx, separation),
  reason: async (separation, _, ctx) =>
    separation.isRequired && !(await isSeparationEffective(ctx, separation)) ? 'ONE_ADMINISTRATOR' : null,
} satisfies ReviewSeparationResolvers;

export const EvaluationReport = {
  difference: (report, _, ctx) => differenceOf(ctx, report),
} satisfies EvaluationReportResolvers;

export const VersionDifference = {
  metrics: (difference) => metricsOf(difference),
  weights: (difference) => weightsOf(difference),
  deciles: (difference, _, ctx) => movesOf(ctx, difference),
} satisfies VersionDifferenceResolvers;

export const MetricDifference = {
  change: ({ value, publishedValue }) =>
    value === null || publishedValue === null ? null : value - publishedValue,
  isBeyondBounds: (metric) => isBeyondBounds(metric),
} satisfies MetricDifferenceResolvers;

export const WeightDifference = {
  change: (weight) => changeOf(weight),
} satisfies WeightDifferenceResolvers;
