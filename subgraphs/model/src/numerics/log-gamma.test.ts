import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { logGamma } from './log-gamma.ts';

test.each([
  [0.5, 0.5723649429247001],
  [1, 0],
  [2, 0],
  [5, 3.1780538303479458],
  [0.001, 6.907178885383853],
  [100, 359.1342053695754],
  [100_000, 1_051_287.708_973_656_9],
])('the logarithm of gamma of %d is that of the tables', (x, figure) => {
  expect(Math.abs(logGamma(x) - figure)).toBeLessThan(1e-13 * Math.max(1, Math.abs(figure) * 10));
});

test('gamma of x + 1 is x times gamma of x', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1e5, noNaN: true }), (x) => {
      const [next, own] = [logGamma(x + 1), logGamma(x)];
      expect(Math.abs(next - own - Math.log(x))).toBeLessThan(1e-13 * Math.max(10, Math.abs(next) * 10));
    }),
    { numRuns: 2_000 },
  );
});
