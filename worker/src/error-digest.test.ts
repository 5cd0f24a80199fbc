/** @jest-environment node */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { MINUTE_MS } from '@loyalty/platform/base/clock';
import { createErrorDigest } from './error-digest.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
const starting = Object.assign(new Error('starting up'), { code: '57P03' });

function digest() {
  const lines: unknown[] = [];
  const log = { error: (fields: object) => void lines.push(fields) };
  return { lines, ...createErrorDigest(log as never, 'queue error') };
}

test('the first error is logged at once, the others once a minute with their reasons and their number', () => {
  const { lines, report } = digest();
  report(refused);
  expect(lines).toEqual([{ err: refused, reasons: { ECONNREFUSED: 1 }, count: 1 }]);
  for (let second = 0; second < 40; second += 1) report(second < 30 ? refused : starting);
  jest.advanceTimersByTime(MINUTE_MS - 1);
  expect(lines).toHaveLength(1);
  jest.advanceTimersByTime(1);
  expect(lines.slice(1)).toEqual([{ err: starting, reasons: { ECONNREFUSED: 30, '57P03': 10 }, count: 40 }]);
});

test('after a minute without an error the next one is logged at once again', () => {
  const { lines, report } = digest();
  report(refused);
  jest.advanceTimersByTime(MINUTE_MS);
  expect(lines).toHaveLength(1);
  report(starting);
  expect(lines).toHaveLength(2);
});

test('what was only counted is logged at the end, and reasons without bound are counted together', () => {
  const { lines, report, close } = digest();
  report(refused);
  for (let number = 0; number < 50; number += 1) report({ code: `E${number}` });
  close();
  close();
  expect(lines).toHaveLength(2);
  const { reasons, count } = lines[1] as { reasons: Record<string, number>; count: number };
  expect(count).toBe(50);
  expect(Object.keys(reasons)).toHaveLength(21);
  expect(reasons['other']).toBe(30);
});
