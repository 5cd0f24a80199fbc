import { minimise } from '../numerics/simplex.ts';
import { bgNbd } from './bg-nbd.ts';
import { mbgNbd } from './mbg-nbd.ts';
import { paretoNbd } from './pareto-nbd.ts';
import type { PurchaseModel, WeightedPattern } from './purchase-model.ts';

/** Largest logarithm of a parameter: a larger one means that the data do not determine the parameter. */
const LOG_MAX = 12;

export interface Fit {
  readonly model: PurchaseModel;
  /** In the order of the model's parameter names. */
  readonly parameters: readonly number[];
  readonly logLikelihood: number;
  /** False if the likelihood still rises at an edge, or the steps ran out. */
  readonly hasConverged: boolean;
}

/**
 * Fits the parameters with the maximum likelihood.
 *
 * @param patterns - at least one; merge equal patterns into one of greater weight to save time
 */
export function fitModel(model: PurchaseModel, patterns: readonly WeightedPattern[]): Fit {
  const distance = (point: readonly number[]): number => {
    if (point.some((each) => Math.abs(each) > LOG_MAX)) return Number.POSITIVE_INFINITY;
    const found = -logLikelihood(model, point.map(Math.exp), patterns);
    return Number.isNaN(found) ? Number.POSITIVE_INFINITY : found;
  };
  const found = minimise(distance, startOf(model, patterns).map(Math.log));
  const isInside = found.point.every((each) => Math.abs(each) < LOG_MAX - 1);
  return {
    model,
    parameters: found.point.map(Math.exp),
    logLikelihood: -found.value,
    hasConverged: found.hasConverged && isInside,
  };
}

/** Returns the weighted sum of the log-likelihoods of all patterns. */
export function logLikelihood(
  model: PurchaseModel,
  parameters: readonly number[],
  patterns: readonly WeightedPattern[],
): number {
  const one = model.logLikelihood(parameters);
  return patterns.reduce((sum, pattern) => sum + pattern.weight * one(pattern), 0);
}

/** The start of the search: 1, and a quarter of the mean observation for parameters with a unit of time. */
function startOf(model: PurchaseModel, patterns: readonly WeightedPattern[]): number[] {
  const weight = patterns.reduce((sum, pattern) => sum + pattern.weight, 0);
  const time = patterns.reduce((sum, pattern) => sum + pattern.weight * pattern.t, 0) / weight;
  const timed = Math.max(time / 4, 1e-3);
  return model.parameterNames.map((name) => (model.timedNames.includes(name) ? timed : 1));
}

/** In print order. */
export const models: readonly PurchaseModel[] = [bgNbd, mbgNbd, paretoNbd];
