import type {
  EvaluationReportResolvers,
  MetricDifferenceResolvers,
  VersionDifferenceResolvers,
  WeightDifferenceResolvers,
} from '#generated/schema';
import { movesOf } from './decile-moves.service.ts';
import { changeOf, differenceOf, isBeyondBounds, metricsOf, weightsOf } from './differences.service.ts';

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
