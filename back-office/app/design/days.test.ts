import { expect, test } from '@jest/globals';
import {
  dayEndingAt,
  daysOf,
  endOfDay,
  instantOf,
  isDay,
  isReversed,
  periodOf,
  startOfDay,
  wallClockOf,
} from './days.ts';

test('a day has the instants of its time zone, also where clocks change', () => {
  expect(startOfDay('2026-03-29', 'Europe/Lisbon')).toBe('2026-03-29T00:00:00.000Z');
  expect(endOfDay('2026-03-29', 'Europe/Lisbon')).toBe('2026-03-29T23:00:00.000Z');
  expect(startOfDay('2026-01-01', 'Asia/Tokyo')).toBe('2025-12-31T15:00:00.000Z');
});

test('the end of a day leads back to the day, and an instant within it, too', () => {
  for (const zone of ['Europe/Lisbon', 'Asia/Tokyo', 'America/Los_Angeles'])
    for (const day of ['2026-03-29', '2026-10-25', '2026-12-31'])
      expect(dayEndingAt(endOfDay(day, zone), zone)).toBe(day);
  expect(dayEndingAt('2026-03-29T12:00:00.000Z', 'Asia/Tokyo')).toBe('2026-03-29');
});

test('what an address holds is a day only as YYYY-MM-DD', () => {
  expect(['2026-02-03', '2026-13-03', '3 Feb', '', undefined].map(isDay)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

/** In Tokyo it is already the first of March. */
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
  expect(isReversed({ from: '2028-01-02', to: '2028-01-01' })).toBe(true);
  expect(isReversed({ from: '2028-01-01', to: '2028-01-01' })).toBe(false);
  expect(isReversed({ from: '2028-01-02' })).toBe(false);
  expect(isReversed({ from: 'x', to: '2028-01-01' })).toBe(false);
});

test.each([
  ['2026-07-01T10:30', 'Europe/Lisbon', '2026-07-01T09:30:00.000Z'],
  ['2026-01-01T00:00', 'America/New_York', '2026-01-01T05:00:00.000Z'],
  ['2026-01-01T00:00', 'Asia/Kolkata', '2025-12-31T18:30:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
])('%s in %s is %s', (wallClock, timeZone, at) => {
  expect(instantOf(wallClock, timeZone)).toBe(at);
  expect(wallClockOf(at, timeZone)).toBe(wallClock);
});

test('an hour that is skipped has an instant, too', () => {
  const at = instantOf('2026-03-29T02:30', 'Europe/Berlin');
  expect(['2026-03-29T00:30:00.000Z', '2026-03-29T01:30:00.000Z']).toContain(at);
});
