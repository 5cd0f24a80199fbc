import { expect, test } from '@jest/globals';
import { HOUR_MS, SECOND_MS } from '@loyalty/platform/base/clock';
import fc from 'fast-check';
import { backoffMs, readRetryAfter } from './attempt.ts';

const now = new Date('2026-03-02T10:00:00.000Z');

test('the longest wait grows by four from 10 s to 12 hours, and any shorter one may be drawn', () => {
  const longest = Array.from({ length: 12 }, (_, failed) => backoffMs(failed + 1, null, 1) / SECOND_MS);
  expect(longest).toEqual([10, 40, 160, 640, 2_560, 10_240, 40_960, ...Array(5).fill(43_200)]);
  expect(backoffMs(5, null, 0)).toBe(0);
  expect(backoffMs(1, null, 0.25)).toBe(2_500);
});

test('an endpoint may ask for more, up to 12 hours', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.nat(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (n, asked, r) => {
        const wait = backoffMs(n, asked, r);
        expect(wait).toBeGreaterThanOrEqual(Math.min(asked, 12 * HOUR_MS));
        expect(wait).toBeLessThanOrEqual(12 * HOUR_MS);
      },
    ),
  );
});

test.each([
  ['120', 120_000],
  ['Mon, 02 Mar 2026 10:00:30 GMT', 30_000],
  ['Mon, 02 Mar 2026 09:00:00 GMT', 0],
  ['soon', null],
  [undefined, null],
  [['5', '6'], 5_000],
])('Retry-After %j is %j ms', (header, ms) => {
  expect(readRetryAfter(header, now)).toBe(ms);
});
