import { expect, test } from '@jest/globals';
import { dayEndingAt, endOfDay, isDay, startOfDay } from './days.ts';

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
