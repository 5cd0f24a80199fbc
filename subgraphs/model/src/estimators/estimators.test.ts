import { describe, expect, test } from '@jest/globals';
import { auc, logLoss } from '../numerics/metrics.ts';
import { minimizeSmooth } from '../numerics/minimize.ts';
import { seededRandom } from '../numerics/seeded-random.ts';
import { chooseTreeCount, fitBoostedTrees, predictBoostedTrees } from './boosted-trees.ts';
import { encodedNames, encodeRows, fitEncoder, rowAt } from './feature-encoder.ts';
import { clusteredMean, innerFolds } from './inner-folds.ts';
import { bestCombinations, pairLifts, recommendedCount, vocabularyOf } from './key-models.ts';
import { chooseLambda } from './logistic-choice.ts';
import { fitSoftmax, predictSoftmax } from './softmax.ts';

/** Generates rows of two uniform features from -1 to 1, and labels by a chance that the test knows. */
function madeRows(count: number, chanceOf: (a: number, b: number) => number) {
  const random = seededRandom(5);
  const values = Float64Array.from({ length: 2 * count }, () => 2 * random() - 1);
  const chances = Array.from({ length: count }, (_, row) => chanceOf(values[2 * row]!, values[2 * row + 1]!));
  const labels = Uint8Array.from(chances, (chance) => (random() < chance ? 1 : 0));
  const entities = chances.map((_, row) => `member-${row}`);
  return { rows: { count, width: 2, values }, labels, entities, chances };
}

const exclusive = madeRows(4_000, (a, b) => (a > 0 === b > 0 ? 0.1 : 0.8));

describe('boosted trees', () => {
  const { rows, labels, chances, entities } = exclusive;

  test('find what no sum of features says', () => {
    const model = fitBoostedTrees(rows, labels, 100);
    const predicted = Array.from(labels, (_, row) => predictBoostedTrees(model, rowAt(rows, row)));
    expect(auc(predicted, labels)).toBeGreaterThan(auc(chances, labels) - 0.01);
    expect(logLoss(predicted, labels)).toBeLessThan(logLoss(chances, labels) + 0.02);
    expect(model.gains.every((gain) => gain > 0)).toBe(true);
  });

  test('of the same rows have the same bits', () => {
    expect(fitBoostedTrees(rows, labels, 5)).toEqual(fitBoostedTrees(rows, labels, 5));
  });

  test('stop growing where rows outside of the fit gain nothing', () => {
    const noise = madeRows(1_000, () => 0.3);
    const folds = innerFolds(noise.entities, 5, 1);
    expect(chooseTreeCount(noise.rows, noise.labels, folds).setting).toBeLessThan(15);
    expect(chooseTreeCount(rows, labels, innerFolds(entities, 5, 1)).setting).toBeGreaterThan(40);
  });

  test('have leaves of 20 rows at least', () => {
    const few = madeRows(39, () => 0.5);
    expect(fitBoostedTrees(few.rows, few.labels, 1).trees[0]!.features).toEqual([-1]);
  });
});

test('a strong penalty is chosen for noise, a weak one where features say much', () => {
  const noise = madeRows(500, () => 0.3);
  expect(chooseLambda(noise, innerFolds(noise.entities, 5, 1)).setting).toBe(100);
  const clear = madeRows(500, (a) => (a > 0 ? 0.95 : 0.05));
  expect(chooseLambda(clear, innerFolds(clear.entities, 5, 1)).setting).toBeLessThan(20);
});

test('L-BFGS finds the least of a quadratic function whose axes differ by a factor of 1,000', () => {
  const scales = [1, 30, 1_000];
  const least = minimizeSmooth(new Float64Array(3), (at, slope) => {
    let value = 1;
    at.forEach((each, place) => {
      const apart = each - place - 1;
      slope[place] = 2 * scales[place]! * apart;
      value += scales[place]! * apart * apart;
    });
    return value;
  });
  [1, 2, 3].forEach((place, index) => {
    expect(least[index]).toBeCloseTo(place, 2);
  });
});

describe('softmax', () => {
  test('without features gives the shares of classes', () => {
    const rows = { count: 10, width: 1, values: new Float64Array(10) };
    const classes = Uint16Array.from([0, 0, 0, 0, 0, 1, 1, 1, 2, 2]);
    const model = fitSoftmax({ rows, classes, classCount: 3 }, 5);
    const chances = predictSoftmax(model, [0]);
    [0.5, 0.3, 0.2].forEach((share, place) => {
      expect(chances[place]).toBeCloseTo(share, 2);
    });
  });

  test('of two classes is the logistic regression of their difference', () => {
    const { rows, labels, chances } = madeRows(3_000, (a, b) => 1 / (1 + Math.exp(-2 * a + b)));
    const model = fitSoftmax({ rows, classes: Uint16Array.from(labels), classCount: 2 }, 5);
    const predicted = Array.from(labels, (_, row) => predictSoftmax(model, rowAt(rows, row))[1]!);
    expect(logLoss(predicted, labels)).toBeLessThan(logLoss(chances, labels) + 0.003);
  });
});

test('a vocabulary has keys with 20 rows of 15 entities, the most frequent first', () => {
  const rowsOf = (key: string, count: number, entities: number) =>
    Array.from({ length: count }, (_, row) => ({ keys: [key], entity: `${key}-${row % entities}` }));
  const rows = [
    ...rowsOf('few', 19, 19),
    ...rowsOf('one', 40, 14),
    ...rowsOf('b', 20, 15),
    ...rowsOf('a', 20, 20),
  ];
  expect(vocabularyOf([...rows, ...rowsOf('most', 21, 21)])).toEqual(['most', 'a', 'b']);
  expect([2, 9, 40].map(recommendedCount)).toEqual([1, 3, 5]);
});

describe('combinations of keys', () => {
  const labels = [
    [1, 1, 1, 1, 0, 0, 0, 0, 0, 0],
    [1, 1, 1, 1, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 1, 1, 1, 1, 0, 0],
  ].map((own) => Uint8Array.from(own));

  test('have lifts that are shrunk by five baskets', () => {
    // Together 4 times, expected 1.6; never together, expected 1.6.
    const lifts = pairLifts(labels);
    expect(lifts[1]).toBeCloseTo(9 / 6.6, 12);
    expect(lifts[2]).toBeCloseTo(5 / 6.6, 12);
  });

  test('are sorted by chances and lifts', () => {
    const { pairs, triples } = bestCombinations([0.4, 0.4, 0.45], pairLifts(labels), 2);
    expect(pairs.map(({ keys }) => keys)).toEqual([
      [0, 1],
      [0, 2],
    ]);
    expect(triples).toEqual([
      { keys: [0, 1, 2], score: expect.closeTo(0.4 * 0.4 * 0.45 * (9 / 6.6) * (5 / 6.6) * (5 / 6.6), 12) },
    ]);
  });
});

test('empty features become medians and columns that say so', () => {
  const raw = { count: 4, width: 2, values: Float64Array.from([1, 10, Number.NaN, 20, 3, 30, 8, 40]) };
  const encoder = fitEncoder(raw);
  expect(encoder).toEqual({ medians: [3, 25], indicators: [0] });
  expect([...encodeRows(encoder, raw).values]).toEqual([1, 10, 0, 3, 20, 1, 3, 30, 0, 8, 40, 0]);
  expect(encodedNames(encoder, ['f_a', 'f_b'])).toEqual(['f_a', 'f_b', 'f_a is empty']);
});

test('the error of a mean counts rows of an entity as one', () => {
  // Sums of both entities are -1 and 1 around the mean 1.5: the root of 2, over 4 rows.
  expect(clusteredMean([1, 1, 2, 2], ['a', 'a', 'b', 'b'])).toEqual({ mean: 1.5, error: Math.SQRT2 / 4 });
});

test('inner folds share no entity and hold out each row once', () => {
  const entities = Array.from({ length: 300 }, (_, row) => `member-${row % 100}`);
  const folds = innerFolds(entities, 5, 3);
  expect(folds.flatMap(({ outside }) => [...outside]).sort((a, b) => a - b)).toEqual([...entities.keys()]);
  for (const { inside, outside } of folds) {
    const seen = new Set(Array.from(inside, (row) => entities[row]));
    expect(Array.from(outside, (row) => entities[row]).some((entity) => seen.has(entity))).toBe(false);
  }
});
