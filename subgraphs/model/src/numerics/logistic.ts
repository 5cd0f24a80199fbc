import { solveSymmetric } from './cholesky.ts';

/** Rows of features one after another: `values[row * width + column]`. */
export interface FeatureRows {
  readonly count: number;
  readonly width: number;
  readonly values: Float64Array;
}

/** A logistic regression on standardised features; plain numbers, so that it can be stored as JSON. */
export interface LogisticModel {
  readonly means: readonly number[];
  /** Standard deviations; 1 for a constant feature. */
  readonly scales: readonly number[];
  readonly weights: readonly number[];
  readonly intercept: number;
}

const ROUNDS_MAX = 50;
const STEP_MIN = 1e-9;
const HALVINGS_MAX = 30;

/**
 * Fits a logistic regression with an L2 penalty by Newton's method: the minimum of the log-loss summed over
 * rows, plus half of `lambda` times the squared weights of the standardised features; the intercept has no
 * penalty. The same rows in the same order give the same bits.
 *
 * @param labels - 0 or 1 for each row; both must occur
 * @param lambda - above 0
 * @param start - a fit to the same rows with another penalty, from which the search starts; null for none
 */
export function fitLogistic(
  features: FeatureRows,
  labels: Uint8Array,
  lambda: number,
  start: LogisticModel | null = null,
): LogisticModel {
  const { means, scales } = momentsOf(features);
  const rows = standardised(features, means, scales);
  const size = features.width + 1;
  let solution = new Float64Array(size);
  const positives = labels.reduce((sum, label) => sum + label, 0);
  solution[size - 1] = Math.log(positives / (features.count - positives));
  if (start) solution.set([...start.weights, start.intercept]);
  let loss = lossOf(rows, labels, solution, lambda);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    let step = newtonStep(rows, labels, solution, lambda);
    let next = moved(solution, step);
    let nextLoss = lossOf(rows, labels, next, lambda);
    for (let halving = 0; nextLoss > loss && halving < HALVINGS_MAX; halving += 1) {
      step = step.map((value) => value / 2);
      next = moved(solution, step);
      nextLoss = lossOf(rows, labels, next, lambda);
    }
    if (nextLoss > loss) break;
    [solution, loss] = [next, nextLoss];
    if (step.every((value) => Math.abs(value) <= STEP_MIN)) break;
  }
  return { means, scales, weights: [...solution.subarray(0, -1)], intercept: solution[size - 1]! };
}

/** Returns the chance of the label 1 for the features of one row. */
export function predictLogistic(model: LogisticModel, features: ArrayLike<number>): number {
  let logit = model.intercept;
  for (let column = 0; column < model.weights.length; column += 1) {
    const value = (features[column]! - model.means[column]!) / model.scales[column]!;
    logit += model.weights[column]! * value;
  }
  return sigmoid(logit);
}

/** Returns the log-loss of one chance. */
export function logLoss(chance: number, label: number): number {
  const bounded = Math.min(1 - 1e-15, Math.max(1e-15, chance));
  return label === 1 ? -Math.log(bounded) : -Math.log1p(-bounded);
}

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

const moved = (from: Float64Array, step: Float64Array): Float64Array<ArrayBuffer> =>
  Float64Array.from(from, (value, place) => value + step[place]!);

function momentsOf({ count, width, values }: FeatureRows): { means: number[]; scales: number[] } {
  const columns = Array.from({ length: width }, (_, column) => column);
  const meanOf = (of: (value: number) => number, column: number) => {
    let sum = 0;
    for (let row = 0; row < count; row += 1) sum += of(values[row * width + column]!);
    return sum / count;
  };
  const means = columns.map((column) => meanOf((value) => value, column));
  const scales = columns.map((column) => {
    const mean = means[column]!;
    const scale = Math.sqrt(meanOf((value) => (value - mean) * (value - mean), column));
    return scale > 1e-12 * Math.max(1, Math.abs(mean)) ? scale : 1;
  });
  return { means, scales };
}

/** Returns standardised rows with a 1 at the end of each, for the intercept. */
function standardised(
  { count, width, values }: FeatureRows,
  means: readonly number[],
  scales: readonly number[],
): FeatureRows {
  const wider = new Float64Array(count * (width + 1));
  for (let row = 0; row < count; row += 1) {
    const start = row * (width + 1);
    for (let column = 0; column < width; column += 1)
      wider[start + column] = (values[row * width + column]! - means[column]!) / scales[column]!;
    wider[start + width] = 1;
  }
  return { count, width: width + 1, values: wider };
}

function logitOf({ width, values }: FeatureRows, row: number, solution: Float64Array): number {
  let logit = 0;
  for (let column = 0; column < width; column += 1)
    logit += values[row * width + column]! * solution[column]!;
  return logit;
}

function lossOf(rows: FeatureRows, labels: Uint8Array, solution: Float64Array, lambda: number): number {
  let loss = 0;
  for (let row = 0; row < rows.count; row += 1) {
    const logit = logitOf(rows, row, solution);
    // ln(1 + e^logit), without overflow.
    loss += Math.max(0, logit) + Math.log1p(Math.exp(-Math.abs(logit))) - labels[row]! * logit;
  }
  for (let column = 0; column < rows.width - 1; column += 1)
    loss += (lambda / 2) * solution[column]! * solution[column]!;
  return loss;
}

function newtonStep(
  rows: FeatureRows,
  labels: Uint8Array,
  solution: Float64Array,
  lambda: number,
): Float64Array {
  const { count, width, values } = rows;
  const slope = new Float64Array(width);
  const curvature = new Float64Array(width * width);
  for (let row = 0; row < count; row += 1) {
    const chance = sigmoid(logitOf(rows, row, solution));
    const [error, weight] = [labels[row]! - chance, chance * (1 - chance)];
    const start = row * width;
    for (let i = 0; i < width; i += 1) {
      const value = values[start + i]!;
      slope[i]! += value * error;
      for (let j = 0; j <= i; j += 1) curvature[i * width + j]! += weight * value * values[start + j]!;
    }
  }
  for (let i = 0; i < width - 1; i += 1) {
    slope[i]! -= lambda * solution[i]!;
    curvature[i * width + i]! += lambda;
  }
  return solveSymmetric(curvature, slope);
}
