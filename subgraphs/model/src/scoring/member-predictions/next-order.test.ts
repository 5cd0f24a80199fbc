import { expect, test } from '@jest/globals';
import { type NextOrder, nextOrder, type PurchaseIntervals } from './next-order.ts';
import { upperQuantile, upperTail } from './normal-distribution.ts';

const pool = { varianceWithin: 0.36, mean: Math.log(25), varianceBetween: 0.16, members: 300 };
const FIRST_DAY = 20_000;

function intervals(...days: number[]): PurchaseIntervals & { readonly lastDay: number } {
  const sum = (of: (day: number) => number) => days.reduce((total, day) => total + of(day), 0);
  return {
    purchaseDays: days.length + 1,
    firstDay: FIRST_DAY,
    lastDay: FIRST_DAY + sum((day) => day),
    logSum: sum(Math.log),
    daySquares: sum((day) => day * day),
  };
}
const forecast = (member: PurchaseIntervals, gap: number, of: typeof pool | null = pool): NextOrder => {
  const found = nextOrder(member, of, member.lastDay + gap);
  if (typeof found === 'string') throw new Error(found);
  return found;
};

test('intervals of 10, 20 and 40 days, 12 days silent: numbers written down', () => {
  const found = forecast(intervals(10, 20, 40), 12);
  // By Python's statistics.NormalDist: mu = 3.091365, s = .654654, tail = .822876; days 14.4, 25.5 and 54.7.
  expect(found).toMatchObject({ expectedDay: 20_095, band: { fromDay: 20_084, toDay: 20_125 } });
  expect(found.intervalMeanDays).toBeCloseTo(70 / 3, 12);
  expect(found.intervalMedianDays).toBeCloseTo(22.007102, 6);
  expect(found.intervalStddevDays).toBeCloseTo(15.275252, 6);
  expect(found.intervalCv).toBeCloseTo(0.654654, 6);
  expect(found.confidence).toBe('MEDIUM');
});

test.each([
  [[7, 7], 0],
  [[30, 31, 29, 30, 28, 33], 20],
  [[5, 90, 14, 200], 100],
])('intervals of %j, %i days silent, are forecast by the formula', (days, gap) => {
  const member = intervals(...days);
  const n = days.length;
  const precision = n / 0.36 + 1 / 0.16;
  const mu = (member.logSum / 0.36 + Math.log(25) / 0.16) / precision;
  const s = Math.sqrt(0.36 + 1 / precision);
  const tail = upperTail((Math.log(Math.max(gap, 0.5)) - mu) / s);
  const day = (share: number) => member.lastDay + Math.round(Math.exp(mu + s * upperQuantile(tail * share)));
  const found = forecast(member, gap);
  expect([found.band.fromDay, found.expectedDay, found.band.toDay]).toEqual([day(0.9), day(0.5), day(0.1)]);
});

test('a member alone is forecast by its own mean and a variance of .8', () => {
  const member = intervals(30, 30, 30);
  const s = Math.sqrt(0.8 + 0.8 / 3);
  const tail = upperTail((Math.log(10) - Math.log(30)) / s);
  const found = forecast(member, 10, null);
  expect(found.expectedDay - member.lastDay).toBe(Math.round(30 * Math.exp(s * upperQuantile(tail / 2))));
  expect(found.intervalMedianDays).toBeCloseTo(30, 9);
});

test('a forecast never lies before its own day, however long the silence', () => {
  const member = intervals(20, 22, 19, 25);
  for (let gap = 0; gap < 60; gap += 1)
    expect(forecast(member, gap).expectedDay).toBeGreaterThanOrEqual(member.lastDay + gap);
});

test.each([
  ['two purchases', intervals(30), 5, 'NOT_ENOUGH_DATA'],
  ['none', { purchaseDays: 0, firstDay: 0, lastDay: 0, logSum: 0, daySquares: 0 }, 5, 'NOT_ENOUGH_DATA'],
  ['three purchases in 6 days', intervals(3, 3), 5, 'SHORT_SPAN'],
  ['silence that 1 of 100 intervals outlasts', intervals(10, 10, 10, 10), 200, 'LONG_SILENCE'],
])('%s give none', (_, member, gap, reason) => {
  expect(nextOrder(member, pool, member.lastDay + gap)).toBe(reason);
});

const steady = [30, 31, 29, 30, 28, 33];
test.each([
  ['high with six steady intervals', steady, 10, pool, 'HIGH'],
  ['medium with five', steady.slice(1), 10, pool, 'MEDIUM'],
  ['medium with intervals that vary', [5, 90, 5, 90, 5, 90], 10, pool, 'MEDIUM'],
  ['medium once three of four intervals would be over', steady, 50, pool, 'MEDIUM'],
  ['low once nine of ten would be', steady, 80, pool, 'LOW'],
  ['low with two intervals', [30, 30], 10, pool, 'LOW'],
  ['medium at most where the workspace has no pool', steady, 10, null, 'MEDIUM'],
] as const)('confidence is %s', (_, days, gap, of, confidence) => {
  expect(forecast(intervals(...days), gap, of).confidence).toBe(confidence);
});
