import { expect, test } from '@jest/globals';
import { daysOf, isTurned, periodOf } from './day-ranges.ts';

/** In Tokyo it is the first of March already. */
const now = Date.parse('2028-02-29T20:00:00Z');

test.each([
  ['today', 'UTC', '2028-02-29', '2028-02-29'],
  ['today', 'Asia/Tokyo', '2028-03-01', '2028-03-01'],
  ['yesterday', 'Asia/Tokyo', '2028-02-29', '2028-02-29'],
  ['week', 'UTC', '2028-02-23', '2028-02-29'],
  ['days30', 'UTC', '2028-01-31', '2028-02-29'],
  ['month', 'UTC', '2028-02-01', '2028-02-29'],
  ['lastMonth', 'UTC', '2028-01-01', '2028-01-31'],
  ['lastMonth', 'Asia/Tokyo', '2028-02-01', '2028-02-29'],
] as const)('%s in %s is %s to %s', (period, timeZone, from, to) => {
  expect(daysOf(period, timeZone, now)).toEqual({ from, to });
});

test('the last month of January is in the year before', () => {
  const january = Date.parse('2027-01-15T12:00:00Z');
  expect(daysOf('lastMonth', 'UTC', january)).toEqual({ from: '2026-12-01', to: '2026-12-31' });
});

test('days are recognised as the period that they are', () => {
  expect(periodOf({ from: '2028-01-01', to: '2028-01-31' }, 'UTC', now)).toBe('lastMonth');
  expect(periodOf({ from: '2028-01-01', to: '2028-01-30' }, 'UTC', now)).toBeUndefined();
  expect(periodOf({}, 'UTC', now)).toBeUndefined();
});

test('days are turned only where both are days', () => {
  expect(isTurned({ from: '2028-01-02', to: '2028-01-01' })).toBe(true);
  expect(isTurned({ from: '2028-01-01', to: '2028-01-01' })).toBe(false);
  expect(isTurned({ from: '2028-01-02' })).toBe(false);
  expect(isTurned({ from: 'x', to: '2028-01-01' })).toBe(false);
});
