import { expect, test } from '@jest/globals';
import { upperQuantile, upperTail } from './distributions.ts';

// Published values of 1 - Φ(z) and of its inverse, from tables and R's pnorm and qnorm.
const TAILS = [
  [0, 0.5],
  [0.5, 0.308537538725987],
  [1, 0.158655253931457],
  [1.96, 0.0249978951482204],
  [2.5, 0.00620966532577614],
  [3, 0.00134989803163009],
  [4, 3.16712418331199e-5],
  [6, 9.86587645037698e-10],
] as const;
const QUANTILES = [
  [0.5, 0],
  [0.25, 0.674489750196082],
  [0.1, 1.2815515655446],
  [0.05, 1.64485362695147],
  [0.025, 1.95996398454005],
  [0.01, 2.32634787404084],
  [0.005, 2.5758293035489],
  [0.001, 3.09023230616781],
  [0.00001, 4.26489079392282],
] as const;

test.each(TAILS)('the tail above %d is as published', (z, tail) => {
  expect(Math.abs(upperTail(z) / tail - 1)).toBeLessThan(1e-12);
  expect(upperTail(-z)).toBeCloseTo(1 - tail, 12);
});

test.each(QUANTILES)('the quantile of the tail %d is as published', (tail, z) => {
  expect(Math.abs(upperQuantile(tail) - z)).toBeLessThan(1e-9);
  expect(Math.abs(upperQuantile(1 - tail) + z)).toBeLessThan(1e-9);
});

test('quantile and tail undo each other, in the far tail as in the middle', () => {
  for (let tail = 1e-12; tail < 1; tail = tail * 1.7 + 1e-13)
    expect(Math.abs(upperTail(upperQuantile(tail)) / tail - 1)).toBeLessThan(1e-9);
});
