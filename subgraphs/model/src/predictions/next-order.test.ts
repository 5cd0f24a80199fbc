import { expect, test } from '@jest/globals';
import { type NextOrder, nextOrder, type PurchaseIntervals } from './next-order.ts';

const pool = { varianceWithin: 0.36, mean: Math.log(25), varianceBetween: 0.16, members: 300 };
const FIRST_DAY = 20_000;

function intervals(...days: number[]): PurchaseIntervals & { readonly lastDay: number } {
  const sum = (of: (day: number) => number) => days.reduce((total, day) => total + of(day), 0);
  return {
    purchaseDays: days.length + 1,
    firstDay: FIRST_DAY,
    lastDay: FIRST_DAY + sum((day) => day),
    logSum: sum(Math.log),
    logSquares: sum((day) => Math.log(day) ** 2),
    daySquares: sum((day) => day * day),
  };
}
const forecast = (member: PurchaseIntervals, gap: number, of: typeof pool | null = pool): NextOrder => {
  const found = nextOrder(member, of, member.lastDay + gap);
  if (typeof found === 'string') throw new Error(found);
  return found;
};

// Computed by Python with SciPy's Student distribution: day of the forecast, first and last day of the band,
// counted from the last purchase; the median of the fitted intervals; null for a member who has probably
// left.
const unfitted = null;
const fitted = { mean: 3.2, varianceWithin: 0.3, varianceBetween: 0.25, members: 300 };
test.each<[typeof fitted | null, number[], number, [number, number, number] | null, number]>([
  [unfitted, [30, 30], 0, [30, 24, 37], 29.999966],
  [unfitted, [30, 30, 30], 0, [30, 25, 35], 29.999982],
  [unfitted, [30, 30, 30], 33, [37, 33, 41], 29.999982],
  [unfitted, [30, 30, 30, 30, 30, 30], 0, [30, 27, 33], 29.999994],
  [unfitted, [30, 30, 30, 30, 30, 30], 30, [32, 30, 35], 29.999994],
  [unfitted, [30, 30, 30, 30, 30, 30], 120, null, 0],
  [unfitted, [7, 7, 7, 7, 7, 7, 7, 7, 7, 7], 3, [7, 6, 8], 7.000636],
  [unfitted, [10, 20, 40], 12, [34, 13, 177], 20.43351],
  [unfitted, [5, 90, 14, 200], 100, [361, 107, 2_923], 33.122911],
  [unfitted, [365, 364, 366], 200, [500, 219, 2_027], 331.538676],
  [fitted, [30, 30, 30, 30, 30, 30], 30, [32, 30, 35], 29.984952],
  [fitted, [30, 30, 30, 30, 30, 30], 60, null, 0],
  [fitted, [7, 7, 7, 7, 7, 7, 7, 7, 7, 7], 7, [7, 7, 8], 7.008775],
  [fitted, [10, 20, 40], 12, [28, 13, 94], 21.401895],
  [fitted, [30, 31, 29, 30, 28, 33], 20, [33, 22, 56], 29.690646],
  [fitted, [60, 62, 58], 61, [93, 63, 199], 50.4308],
])(
  'by %j, intervals of %j days and %i days of silence: numbers written down',
  (of, days, gap, expected, median) => {
    const member = intervals(...days);
    const found = nextOrder(member, of, member.lastDay + gap);
    if (typeof found === 'string') return expect([found, expected]).toEqual(['LIKELY_LAPSED', null]);
    const { expectedDay, band, intervalMedianDays } = found;
    const fromLast = [expectedDay, band.fromDay, band.toDay].map((day) => day - member.lastDay);
    expect(fromLast).toEqual(expected);
    expect(intervalMedianDays).toBeCloseTo(median, 6);
  },
);

const slow = { mean: Math.log(60), varianceWithin: 0.9, varianceBetween: 0.5, members: 300 };
test.each([
  [2, 'LOW'],
  [4, 'MEDIUM'],
  [6, 'HIGH'],
] as const)(
  '%i intervals of exactly 30 days expect the next one, whatever is usual in the workspace',
  (count, confidence) => {
    const found = forecast(intervals(...Array.from({ length: count }, () => 30)), 0, slow);
    const lastDay = FIRST_DAY + 30 * count;
    expect(Math.abs(found.expectedDay - lastDay - 30)).toBeLessThanOrEqual(1);
    expect(found.band.fromDay - lastDay).toBeGreaterThanOrEqual(24);
    expect(found.band.toDay - lastDay).toBeLessThanOrEqual(38);
    expect(found.confidence).toBe(confidence);
  },
);

test('once the day of an exact rhythm has long passed, the spread that is usual in the workspace counts', () => {
  const member = intervals(30, 30, 30);
  const lateBy = (gap: number) => forecast(member, gap, null).band.toDay - member.lastDay - gap;
  expect(lateBy(31)).toBeLessThan(10);
  expect(lateBy(45)).toBeGreaterThan(100);
});

test('mean and deviation are those of the intervals themselves', () => {
  const found = forecast(intervals(10, 20, 40), 12);
  expect(found.intervalMeanDays).toBeCloseTo(70 / 3, 12);
  expect(found.intervalStddevDays).toBeCloseTo(15.275252, 6);
  expect(found.intervalCv).toBeCloseTo(0.654654, 6);
});

test('a forecast never lies before its own day, however long the silence', () => {
  const member = intervals(20, 22, 19, 25);
  for (let gap = 0; gap < 32; gap += 1)
    expect(forecast(member, gap).expectedDay).toBeGreaterThanOrEqual(member.lastDay + gap);
});

test.each([
  ['two purchases', intervals(30), 5, 'NOT_ENOUGH_DATA'],
  [
    'none',
    { purchaseDays: 0, firstDay: 0, lastDay: 0, logSum: 0, logSquares: 0, daySquares: 0 },
    5,
    'NOT_ENOUGH_DATA',
  ],
  ['three purchases in 6 days', intervals(3, 3), 5, 'SHORT_SPAN'],
  ['silence that few of the intervals outlast', intervals(10, 10, 10, 10), 200, 'LIKELY_LAPSED'],
])('%s give none', (_, member, gap, reason) => {
  expect(nextOrder(member, pool, member.lastDay + gap)).toBe(reason);
});

const steady = [30, 31, 29, 30, 28, 33];
test.each([
  ['high with six steady intervals', steady, 10, pool, 'HIGH'],
  ['medium with five', steady.slice(1), 10, pool, 'MEDIUM'],
  ['medium with intervals that vary', [5, 90, 5, 90, 5, 90], 10, pool, 'MEDIUM'],
  ['medium once it may have left', steady, 35, pool, 'MEDIUM'],
  ['low once it is more than a quarter likely to have left', steady, 50, pool, 'LOW'],
  ['low with two intervals', [30, 30], 10, pool, 'LOW'],
  ['medium at most where the workspace has no pool', steady, 10, null, 'MEDIUM'],
] as const)('confidence is %s', (_, days, gap, of, confidence) => {
  expect(forecast(intervals(...days), gap, of).confidence).toBe(confidence);
});

test('no day is so far that it is no date, however irregular the intervals', () => {
  const member = intervals(1, 3_000, 1, 3_000, 2, 1);
  const found = forecast(member, 1, { ...pool, varianceWithin: 9, varianceBetween: 9 });
  expect(found.band.toDay).toBe(member.lastDay + 3_650);
});
