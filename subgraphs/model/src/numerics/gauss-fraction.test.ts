import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gaussFraction } from './gauss-fraction.ts';
import { gaussSeries } from './hypergeometric.ts';

test.each([
  [2.3, 5.7, 0.9, 1.724_357_895_956_88],
  [0.8, 1.3, 0.9996, 67.724_718_412_252_1],
  [1, 2, 0.5, 2 * Math.LN2],
])('2F1(1, %d; %d; %d) is that of the tables', (b, c, z, figure) => {
  expect(Math.abs(gaussFraction(b, c, z) / figure - 1)).toBeLessThan(1e-12);
});

test('the fraction is the sum of the series', () => {
  const parameter = fc.double({ min: 0.05, max: 300, noNaN: true });
  fc.assert(
    fc.property(parameter, parameter, fc.double({ min: 0, max: 0.99, noNaN: true }), (b, more, z) => {
      const sum = 1 + gaussSeries(1, b, b + more, z);
      expect(Math.abs(gaussFraction(b, b + more, z) / sum - 1)).toBeLessThan(1e-11);
    }),
    { numRuns: 500 },
  );
});
