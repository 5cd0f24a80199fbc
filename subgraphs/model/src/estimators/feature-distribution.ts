import { z } from 'zod';
import { quantileOf } from '../numerics/bootstrap.ts';
import { choleskyFactor, solveLower } from '../numerics/cholesky.ts';
import type { FeatureRows } from '../numerics/logistic.ts';
import { rowAt } from './feature-encoder.ts';

/** The distribution of the features of the training samples: there is no inference outside of it. */
export interface FeatureDistribution {
  readonly lows: readonly number[];
  readonly highs: readonly number[];
  readonly means: readonly number[];
  readonly scales: readonly number[];
  /** Lower Cholesky factor of the correlations, which are shrunk by a tenth; row by row. */
  readonly factor: readonly number[];
  /** Squared Mahalanobis distance that one in a thousand training samples exceeds. */
  readonly distanceMax: number;
}

const number = z.coerce.number();
const numbers = z.array(number);

/** A distribution as it is stored in an artifact. */
export const storedDistribution = z.object({
  lows: numbers,
  highs: numbers,
  means: numbers,
  scales: numbers,
  factor: numbers,
  distanceMax: number,
});

/** The distribution in a report: outside of it there is no inference. */
export const distributionReport = (
  names: readonly string[],
  { lows, highs, distanceMax }: FeatureDistribution,
) => ({
  features: names.map((name, place) => ({ name, low: lows[place]!, high: highs[place]! })),
  squared_distance_max: distanceMax,
});

const LOW = 0.005;
const DISTANCE_QUANTILE = 0.999;
const SHRINKAGE = 0.1;

/** Computes ranges and correlations of rows without empty cells. */
export function fitDistribution(rows: FeatureRows): FeatureDistribution {
  const ranges = Array.from({ length: rows.width }, (_, column) => rangeOf(rows, column));
  const moments = Array.from({ length: rows.width }, (_, column) => momentsOf(rows, column));
  const means = moments.map(({ mean }) => mean);
  const scales = moments.map(({ scale }) => scale);
  const shape = { means, scales, factor: [...choleskyFactor(correlations(rows, means, scales), rows.width)] };
  const distances = Float64Array.from({ length: rows.count }, (_, row) =>
    squaredDistance(shape, rowAt(rows, row)),
  ).sort();
  return {
    lows: ranges.map(({ low }) => low),
    highs: ranges.map(({ high }) => high),
    ...shape,
    distanceMax: quantileOf(distances, DISTANCE_QUANTILE),
  };
}

/**
 * Returns the indexes of unusual features: those outside of their range; all indexes if each is usual but
 * their combination is not; empty if nothing is unusual.
 */
export function unusualFeatures(distribution: FeatureDistribution, row: ArrayLike<number>): number[] {
  const places = distribution.lows.map((_, place) => place);
  const outside = places.filter(
    (place) => row[place]! < distribution.lows[place]! || row[place]! > distribution.highs[place]!,
  );
  if (outside.length > 0) return outside;
  return squaredDistance(distribution, row) > distribution.distanceMax ? places : [];
}

/**
 * The middle 99% of a column, extended by half of it on both sides; the whole range if the middle is one
 * value.
 */
function rangeOf({ count, width, values }: FeatureRows, column: number): { low: number; high: number } {
  const ascending = Float64Array.from({ length: count }, (_, row) => values[row * width + column]!).sort();
  const [low, high] = [quantileOf(ascending, LOW), quantileOf(ascending, 1 - LOW)];
  if (low === high) return { low: ascending[0]!, high: ascending[count - 1]! };
  return { low: low - (high - low) / 2, high: high + (high - low) / 2 };
}

function momentsOf({ count, width, values }: FeatureRows, column: number): { mean: number; scale: number } {
  let sum = 0;
  for (let row = 0; row < count; row += 1) sum += values[row * width + column]!;
  const mean = sum / count;
  let squares = 0;
  for (let row = 0; row < count; row += 1) {
    const apart = values[row * width + column]! - mean;
    squares += apart * apart;
  }
  const scale = Math.sqrt(squares / count);
  return { mean, scale: scale > 1e-12 * Math.max(1, Math.abs(mean)) ? scale : 1 };
}

function correlations(
  { count, width, values }: FeatureRows,
  means: readonly number[],
  scales: readonly number[],
): Float64Array {
  const matrix = new Float64Array(width * width);
  const row = new Float64Array(width);
  for (let place = 0; place < count; place += 1) {
    for (let column = 0; column < width; column += 1)
      row[column] = (values[place * width + column]! - means[column]!) / scales[column]!;
    for (let i = 0; i < width; i += 1)
      for (let j = 0; j <= i; j += 1) matrix[i * width + j]! += row[i]! * row[j]!;
  }
  for (let i = 0; i < width; i += 1) {
    for (let j = 0; j < i; j += 1) matrix[i * width + j]! *= (1 - SHRINKAGE) / count;
    matrix[i * width + i] = 1;
  }
  return matrix;
}

type DistributionShape = Pick<FeatureDistribution, 'means' | 'scales' | 'factor'>;

function squaredDistance({ means, scales, factor }: DistributionShape, row: ArrayLike<number>): number {
  const apart = Float64Array.from(means, (mean, column) => (row[column]! - mean) / scales[column]!);
  solveLower(factor, apart);
  let sum = 0;
  for (const each of apart) sum += each * each;
  return sum;
}
