import { expect, test } from '@jest/globals';
import { type FeatureRows, fitLogistic, type LogisticModel, logLoss, predictLogistic } from './logistic.ts';
import { seededRandom } from './seeded-random.ts';

function simulated(count: number, logit: (row: readonly number[]) => number, seed = 7) {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const rows = Array.from({ length: count }, () => [normal(), 5 + 3 * normal()]);
  const labels = Uint8Array.from(rows, (row) => Number(random() < 1 / (1 + Math.exp(-logit(row)))));
  return { features: { count, width: 2, values: Float64Array.from(rows.flat()) }, labels, rows };
}

/** Returns the gradient of the penalised loss at the solution, by definition: zero at the minimum. */
function slopeAt(model: LogisticModel, features: FeatureRows, labels: Uint8Array, lambda: number): number[] {
  const { count, width, values } = features;
  const slope = [...model.weights.map((weight) => lambda * weight), 0];
  for (let row = 0; row < count; row += 1) {
    const raw = values.subarray(row * width, (row + 1) * width);
    const error = predictLogistic(model, raw) - labels[row]!;
    for (let i = 0; i < width; i += 1) slope[i]! += (error * (raw[i]! - model.means[i]!)) / model.scales[i]!;
    slope[width]! += error;
  }
  return slope;
}

test('the slope of the penalised loss is zero where the fit ends', () => {
  const { features, labels } = simulated(500, ([a, b]) => 0.5 * a! - 0.2 * b!);
  for (const lambda of [0.1, 3, 100])
    for (const slope of slopeAt(fitLogistic(features, labels, lambda), features, labels, lambda))
      expect(Math.abs(slope)).toBeLessThan(1e-6);
});

test('the coefficients that made the labels are recovered', () => {
  const { features, labels } = simulated(50_000, ([a, b]) => -1 + 0.8 * a! + 0.3 * b!);
  const { weights, means, scales, intercept } = fitLogistic(features, labels, 3);
  const raw = weights.map((weight, column) => weight / scales[column]!);
  expect(raw[0]).toBeCloseTo(0.8, 1);
  expect(raw[1]).toBeCloseTo(0.3, 1);
  expect(Math.abs(intercept - raw[0]! * means[0]! - raw[1]! * means[1]! + 1)).toBeLessThan(0.1);
});

test('two rows have the solution that can be written down', () => {
  // Standardised to -1 and 1, the minimum of 2 ln(1 + e^-w) + w² / 2 has w = 2 / (1 + e^w).
  const features = { count: 2, width: 1, values: Float64Array.of(10, 20) };
  const [w] = fitLogistic(features, Uint8Array.of(0, 1), 1).weights;
  expect(Math.abs(w! - 2 / (1 + Math.exp(w!)))).toBeLessThan(1e-12);
});

test('separable labels, a constant feature and a doubled one end in finite numbers', () => {
  const values = Float64Array.from(Array.from({ length: 40 }, (_, n) => [n, n, 3]).flat());
  const labels = Uint8Array.from({ length: 40 }, (_, n) => Number(n >= 20));
  const model = fitLogistic({ count: 40, width: 3, values }, labels, 1);
  expect(model.weights[0]).toBeCloseTo(model.weights[1]!, 9);
  expect(model.weights[2]).toBeCloseTo(0, 12);
  expect(predictLogistic(model, [39, 39, 3])).toBeGreaterThan(0.9);
});

test('the same rows give the same bits', () => {
  const { features, labels } = simulated(1_000, ([a]) => a!);
  expect(fitLogistic(features, labels, 3)).toEqual(fitLogistic(features, labels, 3));
});

test('the log-loss of a sure mistake is large and finite', () => {
  expect(logLoss(0.5, 1)).toBeCloseTo(Math.LN2, 12);
  expect(logLoss(1, 0)).toBeGreaterThan(30);
  expect(Number.isFinite(logLoss(0, 1))).toBe(true);
});
