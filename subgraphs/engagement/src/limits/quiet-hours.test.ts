import { expect, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import fc from 'fast-check';
import { quietEnd } from './quiet-hours.ts';

const night = { from: '21:00', until: '08:00' };
const noon = { from: '12:00', until: '13:00' };

test.each([
  ['2026-01-10T21:00:00Z', 'UTC', night, '2026-01-11T08:00:00Z'],
  ['2026-01-10T07:59:00Z', 'UTC', night, '2026-01-10T08:00:00Z'],
  ['2026-01-10T08:00:00Z', 'UTC', night, null],
  ['2026-01-10T20:59:00Z', 'UTC', night, null],
  ['2026-01-10T20:59:59.999Z', 'UTC', night, null],
  ['2026-01-10T07:59:59.999Z', 'UTC', night, '2026-01-10T08:00:59.999Z'],
  ['2026-01-10T12:30:00Z', 'UTC', noon, '2026-01-10T13:00:00Z'],
  ['2026-01-10T11:59:59.999Z', 'UTC', noon, null],
  ['2026-01-10T12:00:00Z', 'UTC', noon, '2026-01-10T13:00:00Z'],
  ['2026-01-10T12:59:00Z', 'UTC', noon, '2026-01-10T13:00:00Z'],
  ['2026-01-10T13:00:00Z', 'UTC', noon, null],
  ['2026-01-10T15:00:00Z', 'Asia/Kathmandu', night, null],
  ['2026-01-10T15:15:00Z', 'Asia/Kathmandu', night, '2026-01-11T02:15:00Z'],
  // Clocks go forward at 01:00Z: the night is an hour shorter.
  ['2026-03-28T22:00:00Z', 'Europe/Berlin', night, '2026-03-29T06:00:00Z'],
  // Clocks go back at 01:00Z: the night is an hour longer.
  ['2026-10-24T20:00:00Z', 'Europe/Berlin', night, '2026-10-25T07:00:00Z'],
  // 02:30 does not exist on the first day, and exists twice on the second.
  ['2026-03-29T00:00:00Z', 'Europe/Berlin', { from: '00:00', until: '02:30' }, '2026-03-29T01:30:00Z'],
  ['2026-10-24T23:00:00Z', 'Europe/Berlin', { from: '00:00', until: '02:30' }, '2026-10-25T01:30:00Z'],
])('at %s in %s', (at, timeZone, hours, end) => {
  expect(quietEnd(new Date(at), timeZone, hours)).toEqual(end && new Date(end));
});

const zones = [
  'UTC',
  'Europe/Lisbon',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Tehran',
];

test('the end is in the future, within 26 hours, and not quiet itself but for the hour that clocks repeat', () => {
  const time = fc.integer({ min: 0, max: 24 * 60 - 1 }).map((minute) => {
    const two = (part: number) => String(part).padStart(2, '0');
    return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
  });
  const instant = fc.date({
    min: new Date('2024-01-01T00:00:00Z'),
    max: new Date('2028-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(instant, fc.constantFrom(...zones), time, time, (now, zone, from, until) => {
      fc.pre(from !== until);
      const end = quietEnd(now, zone, { from, until });
      if (end === null) return;
      const waitMs = end.getTime() - now.getTime();
      expect(waitMs).toBeGreaterThan(0);
      expect(waitMs).toBeLessThanOrEqual(26 * HOUR_MS);
      const again = quietEnd(new Date(end.getTime() + MINUTE_MS), zone, { from, until });
      if (again) expect(again.getTime() - end.getTime()).toBeLessThanOrEqual(25 * HOUR_MS);
    }),
  );
});
