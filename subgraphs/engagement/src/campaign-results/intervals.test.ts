import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newcombe, wilson, Z_95 } from './intervals.ts';

test('the Wilson interval solves the equation of the score test at both ends', () => {
  // 15 of 148, an example of Newcombe's paper on single proportions (1998, 857–872): 0.0624 to 0.1605.
  expect(wilson(15, 148)!.low).toBeCloseTo(0.0624, 4);
  expect(wilson(15, 148)!.high).toBeCloseTo(0.1605, 4);
  expect(wilson(81, 263)!.low).toBeCloseTo(0.2553, 4);
  expect(wilson(81, 263)!.high).toBeCloseTo(0.3662, 4);
  // Both bounds t satisfy (p - t)² = z² t (1 - t) / n.
  for (const [successes, n] of [
    [15, 148],
    [1, 29],
    [9, 10],
  ] as const) {
    const { low, high } = wilson(successes, n)!;
    for (const bound of [low, high])
      expect((successes / n - bound) ** 2).toBeCloseTo((Z_95 ** 2 * bound * (1 - bound)) / n, 12);
  }
});

test('nobody of some, all of some and some of nobody have their limits', () => {
  expect(wilson(0, 20)).toEqual({ low: 0, high: expect.closeTo(0.1611, 4) });
  expect(wilson(29, 29)).toEqual({ low: expect.closeTo(0.883, 4), high: 1 });
  expect(wilson(0, 0)).toBeNull();
  expect(newcombe(0, 0, 3, 10)).toBeNull();
  expect(newcombe(3, 10, 0, 0)).toBeNull();
});

// Newcombe 1998, table II, method 10: hybrid score without correction.
test.each([
  [56, 70, 48, 80, 0.0524, 0.3339],
  [9, 10, 3, 10, 0.1705, 0.809],
  [6, 7, 2, 7, 0.0582, 0.8062],
  [5, 56, 0, 29, -0.0381, 0.1926],
  [0, 10, 0, 20, -0.1611, 0.2775],
  [0, 10, 0, 10, -0.2775, 0.2775],
  [10, 10, 0, 20, 0.6791, 1],
  [10, 10, 0, 10, 0.6075, 1],
])('%i/%i - %i/%i has the interval that Newcombe printed', (a, na, b, nb, low, high) => {
  const interval = newcombe(a, na, b, nb)!;
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test('the first of them agrees with a computation by hand', () => {
  // z² = 3.841459. Of 56/70: centre (0.8 + 0.027439) / 1.054878 = 0.784393, half
  // 1.959964 · √(0.16/70 + 3.841459/19600) / 1.054878 = 0.092560. Of 48/80: 0.595418 and 0.104964.
  const ofA = { low: 0.784393 - 0.09256, high: 0.784393 + 0.09256 };
  const ofB = { low: 0.595418 - 0.104964, high: 0.595418 + 0.104964 };
  const { low, high } = newcombe(56, 70, 48, 80)!;
  expect(low).toBeCloseTo(0.2 - Math.sqrt((0.8 - ofA.low) ** 2 + (ofB.high - 0.6) ** 2), 5);
  expect(high).toBeCloseTo(0.2 + Math.sqrt((ofA.high - 0.8) ** 2 + (0.6 - ofB.low) ** 2), 5);
});

const counts = fc
  .integer({ min: 1, max: 1_000_000 })
  .chain((n) => fc.integer({ min: 0, max: n }).map((successes) => ({ successes, n })));

test('intervals hold the estimate, stay within what is possible and turn with the sides', () => {
  fc.assert(
    fc.property(counts, counts, (a, b) => {
      const single = wilson(a.successes, a.n)!;
      const share = a.successes / a.n;
      expect(0 <= single.low && single.low <= share).toBe(true);
      expect(share <= single.high && single.high <= 1).toBe(true);
      const { low, high } = newcombe(a.successes, a.n, b.successes, b.n)!;
      const difference = share - b.successes / b.n;
      expect(-1 <= low && low <= difference).toBe(true);
      expect(difference <= high && high <= 1).toBe(true);
      const turned = newcombe(b.successes, b.n, a.successes, a.n)!;
      expect(turned.low).toBeCloseTo(-high, 12);
      expect(turned.high).toBeCloseTo(-low, 12);
    }),
    { numRuns: 2_000 },
  );
});
