import { expect, test } from '@jest/globals';
import { studentQuantile, studentTail } from './distributions.ts';

// Tails of Student's distribution from SciPy's stats.t.sf.
test.each([
  [3, 1, 0.195501109478],
  [3, 3, 0.0288344428112],
  [5, 2, 0.0509697394149],
  [8, 0.5, 0.315268037778],
  [20, 2.5, 0.0106167727196],
])('with %i degrees of freedom, the tail above %d is right to .001', (freedom, t, tail) => {
  expect(Math.abs(studentTail(t, freedom) - tail)).toBeLessThan(0.001);
  expect(studentTail(-t, freedom)).toBeCloseTo(1 - studentTail(t, freedom), 12);
});

test('the quantile is the inverse of the tail', () => {
  for (const freedom of [1, 3, 7.5, 40, 1_000])
    for (const tail of [0.001, 0.025, 0.1, 0.5, 0.7, 0.999])
      expect(studentTail(studentQuantile(tail, freedom), freedom)).toBeCloseTo(tail, 10);
});
