import { expect, test } from '@jest/globals';
import { minimise } from './simplex.ts';

test("the lowest point of Rosenbrock's valley is found from afar", () => {
  const valley = ([x, y]: readonly number[]) => 100 * (y! - x! * x!) * (y! - x! * x!) + (1 - x!) * (1 - x!);
  const { point, hasConverged } = minimise(valley, [-1.9, 2]);
  expect(hasConverged).toBe(true);
  for (const each of point) expect(each).toBeCloseTo(1, 5);
});

test('where the function has no value is walked around', () => {
  const bowl = ([x, y]: readonly number[]) => (x! < 0.2 ? Number.POSITIVE_INFINITY : x! * x! + y! * y!);
  const { point } = minimise(bowl, [3, 3]);
  expect(point[0]).toBeCloseTo(0.2, 5);
  expect(point[1]).toBeCloseTo(0, 3);
});

test('a function that falls forever is given up', () => {
  expect(minimise(([x]) => -x!, [0]).hasConverged).toBe(false);
});
