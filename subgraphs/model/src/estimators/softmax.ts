import type { FeatureRows } from '../numerics/logistic.ts';
import { lossOfChance } from '../numerics/metrics.ts';
import { minimizeSmooth } from '../numerics/minimize.ts';
import { rowAt, rowsOf } from './feature-encoder.ts';
import type { InnerFold } from './inner-folds.ts';
import { type InnerChoice, leastLoss } from './logistic-choice.ts';

/** A multinomial logistic regression on standardised features. */
export interface SoftmaxModel {
  readonly means: readonly number[];
  /** Standard deviations; 1 for a constant feature. */
  readonly scales: readonly number[];
  /** Class by class: a weight of each feature, then the intercept. */
  readonly weights: readonly number[];
}

/** From the strongest penalty to the weakest: each fit starts at the previous solution. */
export const CLASS_LAMBDAS = [150, 60, 20, 5] as const;

interface SoftmaxRows {
  readonly rows: FeatureRows;
  /** Class of each row, from 0. */
  readonly classes: Uint16Array;
  readonly classCount: number;
}

/**
 * Fits the minimum of the log-loss summed over rows plus half of `lambda` times the squared weights;
 * intercepts have no penalty. The same rows in the same order give the same bits.
 *
 * @param start - initial weights; null for zeros
 */
export function fitSoftmax(
  { rows, classes, classCount }: SoftmaxRows,
  lambda: number,
  start: readonly number[] | null = null,
): SoftmaxModel {
  const moments = Array.from({ length: rows.width }, (_, column) => momentsOf(rows, column));
  const [means, scales] = [moments.map(({ mean }) => mean), moments.map(({ scale }) => scale)];
  const standardised = new Float64Array(rows.values.length);
  for (let place = 0; place < standardised.length; place += 1) {
    const column = place % rows.width;
    standardised[place] = (rows.values[place]! - means[column]!) / scales[column]!;
  }
  const size = classCount * (rows.width + 1);
  const weights = minimizeSmooth(start ? Float64Array.from(start) : new Float64Array(size), (at, slope) =>
    lossAndSlope({ ...rows, values: standardised }, classes, lambda, at, slope),
  );
  return { means, scales, weights: [...weights] };
}

function momentsOf({ count, width, values }: FeatureRows, column: number): { mean: number; scale: number } {
  let [sum, squares] = [0, 0];
  for (let row = 0; row < count; row += 1) sum += values[row * width + column]!;
  const mean = sum / count;
  for (let row = 0; row < count; row += 1) {
    const apart = values[row * width + column]! - mean;
    squares += apart * apart;
  }
  const scale = Math.sqrt(squares / count);
  return { mean, scale: scale > 1e-12 * Math.max(1, Math.abs(mean)) ? scale : 1 };
}

function lossAndSlope(
  { count, width, values }: FeatureRows,
  classes: Uint16Array,
  lambda: number,
  weights: Float64Array,
  slope: Float64Array,
): number {
  const stride = width + 1;
  const chances = new Float64Array(weights.length / stride);
  let loss = 0;
  for (let place = 0; place < weights.length; place += 1) {
    const weight = place % stride === width ? 0 : weights[place]!;
    slope[place] = lambda * weight;
    loss += (lambda / 2) * weight * weight;
  }
  for (let row = 0; row < count; row += 1) {
    const start = row * width;
    writeLogits(weights, values, start, width, chances);
    loss -= writeChances(chances, classes[row]!);
    for (let each = 0; each < chances.length; each += 1) {
      const error = chances[each]! - (each === classes[row]! ? 1 : 0);
      const own = each * stride;
      for (let column = 0; column < width; column += 1)
        slope[own + column]! += error * values[start + column]!;
      slope[own + width]! += error;
    }
  }
  return loss;
}

function writeLogits(
  weights: ArrayLike<number>,
  values: ArrayLike<number>,
  start: number,
  width: number,
  logits: Float64Array,
): void {
  for (let each = 0; each < logits.length; each += 1) {
    const own = each * (width + 1);
    let logit = weights[own + width]!;
    for (let column = 0; column < width; column += 1)
      logit += weights[own + column]! * values[start + column]!;
    logits[each] = logit;
  }
}

/** Converts logits to chances in place; returns the logarithm of the chance of one class. */
function writeChances(logits: Float64Array, of: number): number {
  const most = logits.reduce((greatest, each) => Math.max(greatest, each));
  const own = logits[of]! - most;
  let sum = 0;
  for (let each = 0; each < logits.length; each += 1) {
    logits[each] = Math.exp(logits[each]! - most);
    sum += logits[each]!;
  }
  for (let each = 0; each < logits.length; each += 1) logits[each]! /= sum;
  return own - Math.log(sum);
}

/** Returns the chance of each class for the encoded features of one row. */
export function predictSoftmax(
  { means, scales, weights }: SoftmaxModel,
  row: ArrayLike<number>,
): Float64Array {
  const standardised = Float64Array.from(means, (mean, column) => (row[column]! - mean) / scales[column]!);
  const chances = new Float64Array(weights.length / (means.length + 1));
  writeLogits(weights, standardised, 0, means.length, chances);
  writeChances(chances, 0);
  return chances;
}

/** Chooses the penalty with the least log-loss on rows outside of the fits. */
export function chooseSoftmaxLambda(
  { rows, classes, classCount }: SoftmaxRows,
  folds: readonly InnerFold[],
  onFold: (done: number) => void,
): InnerChoice<number> {
  const choices = CLASS_LAMBDAS.map((setting) => ({ setting, losses: new Float64Array(rows.count) }));
  folds.forEach(({ inside, outside }, fold) => {
    const insideRows = rowsOf(rows, inside);
    const insideClasses = Uint16Array.from(inside, (row) => classes[row]!);
    let start: readonly number[] | null = null;
    choices.forEach(({ setting, losses }, place) => {
      const model = fitSoftmax({ rows: insideRows, classes: insideClasses, classCount }, setting, start);
      start = model.weights;
      for (const row of outside)
        losses[row] = lossOfChance(predictSoftmax(model, rowAt(rows, row))[classes[row]!]!, 1);
      onFold((fold + (place + 1) / choices.length) / folds.length);
    });
  });
  return leastLoss([...choices].reverse());
}
