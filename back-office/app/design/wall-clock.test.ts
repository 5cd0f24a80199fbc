import { expect, test } from '@jest/globals';
import { instantOf, wallClockOf } from './wall-clock.ts';

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
