import { describe, expect, test } from '@jest/globals';
import { boundOf, entityBootstrap, quantileOf } from './bootstrap.ts';
import * as metrics from './metrics.ts';

const { auc, averagePrecisionOf, brier, calibrationBins, expectedCalibrationError, logLoss } = metrics;

describe('the area under the curve', () => {
  test('counts pairs that are in order, and equal scores half', () => {
    // Pairs: .8 above .6 and .4; .4 below .6, equal to .4: 2.5 of 4.
    expect(auc([0.8, 0.6, 0.4, 0.4], [1, 0, 1, 0])).toBe(0.625);
    expect(auc([1, 2, 3], [0, 0, 1])).toBe(1);
    expect(auc([5, 5, 5], [0, 1, 1])).toBe(0.5);
    expect(auc([1, 2], [1, 1])).toBeNaN();
  });

  test('of weights is that of rows repeated', () => {
    const repeated = auc([0.8, 0.8, 0.6, 0.4, 0.4, 0.4], [1, 1, 0, 0, 0, 0]);
    expect(auc([0.8, 0.6, 0.4, 0.1], [1, 0, 0, 1], [2, 1, 3, 0])).toBe(repeated);
  });
});

test('losses are means over rows', () => {
  expect(logLoss([0.5, 0.25], [1, 0])).toBeCloseTo((Math.log(2) - Math.log(0.75)) / 2, 15);
  expect(logLoss([1], [0])).toBeCloseTo(15 * Math.log(10), 1);
  expect(logLoss([0.5, 0.25], [1, 0], [0, 2])).toBeCloseTo(-Math.log(0.75), 15);
  expect(brier([0.5, 0.25], [1, 0])).toBe((0.25 + 0.0625) / 2);
});

describe('average precision', () => {
  test('is the mean precision at each positive', () => {
    // From the top: 1/1 at the first positive, 2/3 at the second.
    expect(averagePrecisionOf([0.9, 0.8, 0.7, 0.1], [1, 0, 1, 0])(null)).toBeCloseTo((1 + 2 / 3) / 2, 15);
    expect(averagePrecisionOf([0.1, 0.2], [0, 0])(null)).toBeNaN();
  });

  test('takes equal scores as one step', () => {
    expect(averagePrecisionOf([0.5, 0.5, 0.5, 0.5], [1, 0, 0, 0])(null)).toBe(0.25);
    expect(averagePrecisionOf([0.9, 0.1], [1, 0])([3, 9])).toBe(1);
  });
});

describe('calibration', () => {
  test('is measured in bins of equal numbers', () => {
    const chances = Array.from({ length: 20 }, (_, row) => (row + 1) / 40);
    const labels = chances.map((chance) => (chance > 0.25 ? 1 : 0));
    const bins = calibrationBins(chances, labels);
    expect(bins).toHaveLength(10);
    expect(bins[0]).toMatchObject({ count: 2, observed: 0 });
    expect(bins[0]?.predicted).toBeCloseTo(0.0375, 12);
    expect(bins[9]).toEqual({ count: 2, predicted: 0.4875, observed: 1 });
    // Half of the rows are .1375 too high in the mean, half 1 - .3875 too low.
    expect(expectedCalibrationError(chances, labels)).toBeCloseTo((0.1375 + 0.6125) / 2, 12);
  });

  test('of fewer rows than bins has no empty bin', () => {
    expect(calibrationBins([0.2, 0.8], [0, 1])).toEqual([
      { count: 1, predicted: 0.2, observed: 0 },
      { count: 1, predicted: 0.8, observed: 1 },
    ]);
  });
});

describe('resamples', () => {
  const entities = ['a', 'a', 'b', 'c'];

  test('draw all rows of an entity together, as many entities as there are', () => {
    const drawn: number[][] = [];
    const figure = entityBootstrap(
      entities,
      7,
      50,
    )((weights) => {
      if (weights) drawn.push(Array.from(weights));
      return 1;
    });
    expect(drawn).toHaveLength(50);
    for (const [first, second, third, fourth] of drawn) {
      expect(first).toBe(second);
      expect(first! + third! + fourth!).toBe(3);
    }
    expect(figure.resamples).toHaveLength(50);
  });

  test('are the same for the same seed, and others for another', () => {
    const mean = (seed: number) =>
      entityBootstrap(entities, seed)((weights) => metrics.weightedMean([1, 2, 3, 4], weights));
    expect(mean(1)).toEqual(mean(1));
    expect(mean(1).resamples).not.toEqual(mean(2).resamples);
    expect(mean(1).value).toBe(2.5);
    expect(boundOf(mean(1), 0.025)).toBeLessThan(2.5);
  });

  test('in which a figure is not defined are left out', () => {
    const figure = entityBootstrap(['a', 'b'], 3)((weights) => auc([1, 2], [0, 1], weights));
    expect(figure.value).toBe(1);
    expect(figure.resamples.length).toBeGreaterThan(0);
    expect(figure.resamples.length).toBeLessThan(200);
  });

  test('have quantiles between two of them', () => {
    expect(quantileOf([1, 2, 3, 4, 5], 0.5)).toBe(3);
    expect(quantileOf([1, 3], 0.25)).toBe(1.5);
    expect(quantileOf([], 0.5)).toBeNaN();
  });
});
