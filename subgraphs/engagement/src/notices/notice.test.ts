import { expect, test } from '@jest/globals';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { checkSignedAt } from './notice.ts';

const now = new Date('2026-03-02T10:00:00.000Z');

test.each([
  ['five minutes old', -5 * MINUTE_MS, 5 * MINUTE_MS],
  ['an hour old, where that is allowed', -60 * MINUTE_MS, 60 * MINUTE_MS],
  ['five minutes ahead', 5 * MINUTE_MS, 5 * MINUTE_MS],
  ['five minutes ahead, where an older one is allowed', 5 * MINUTE_MS, 60 * MINUTE_MS],
])('a signature is good that is %s, and not by one ms more', (_, offsetMs, ageMs) => {
  const check = (at: number) => () => checkSignedAt(now.getTime() + at, now, ageMs);
  expect(check(offsetMs)).not.toThrow();
  expect(check(offsetMs + Math.sign(offsetMs))).toThrow('too old');
});

test('a signature without a time is refused', () => {
  expect(() => checkSignedAt(Number.NaN, now)).toThrow('too old');
});
