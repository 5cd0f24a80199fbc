import { expect, test } from '@jest/globals';
import { compared, lastDays, marksOf } from './days.ts';

test.each([
  [[1, 1, 2, 2], { sum: 4, former: 2, change: 1 }],
  [[4, 4, 1, 1], { sum: 2, former: 8, change: -0.75 }],
  [[0, 0, 3, 0], { sum: 3, former: 0, change: 0 }],
])('%j of two days and two', (values, expected) => {
  expect(compared(values, 2)).toEqual(expected);
});

test('the last days begin with a day of the time zone', () => {
  const now = Date.parse('2026-03-01T01:00:00Z');
  expect(lastDays(1, 'UTC', now)).toBe('2026-03-01');
  expect(lastDays(2, 'America/New_York', now)).toBe('2026-02-27');
  expect(lastDays(28, 'Asia/Tokyo', now)).toBe('2026-02-02');
});

test.each([
  [28, [0, 7, 14, 20, 27]],
  [90, [0, 22, 45, 67, 89]],
  [3, [0, 1, 2]],
  [1, [0]],
])('of %i days some have their date below, the first and the last among them', (length, marks) => {
  expect(marksOf(length, 5)).toEqual(marks);
});
