import { minimise } from '../numerics/simplex.ts';
import { bgNbd } from './bg-nbd.ts';
import { mbgNbd } from './mbg-nbd.ts';
import { paretoNbd } from './pareto-nbd.ts';
import type { PurchaseModel, WeightedPattern } from './purchase-model.ts';

/** Largest logarithm of a parameter: a larger one means that the data do not determine the parameter. */
const LOG_MAX = 12;

export interface Fit {
  readonly model: PurchaseModel;
  /** In the order of the model's names. */
  readonly parameters: readonly number[];
  readonly logLikelihood: number;
  /** False where the likelihood still rises at an edge, or the search ran out of steps. */
  readonly hasConverged: boolean;
}

/**
 * Parameters that make what customers did likeliest.
 *
 * @param patterns - at least one; equal patterns should be one of greater weight, which saves time
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

/** Logarithm of the likelihood of all patterns, each times its weight. */
export function logLikelihood(
  model: PurchaseModel,
  parameters: readonly number[],
  patterns: readonly WeightedPattern[],
): number {
  const one = model.logLikelihood(parameters);
  return patterns.reduce((sum, pattern) => sum + pattern.weight * one(pattern), 0);
}

/** The start of the search: 1, and for parameters with a unit of time a quarter of the mean observation. */
function startOf(model: PurchaseModel, patterns: readonly WeightedPattern[]): number[] {
  const weight = patterns.reduce((sum, pattern) => sum + pattern.weight, 0);
  const time = patterns.reduce((sum, pattern) => sum + pattern.weight * pattern.t, 0) / weight;
  const timed = Math.max(time / 4, 1e-3);
  return model.parameterNames.map((name) => (model.timedNames.includes(name) ? timed : 1));
}

/** In the order in which fits are printed. */
export const models: readonly PurchaseModel[] = [bgNbd, mbgNbd, paretoNbd];
