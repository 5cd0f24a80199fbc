import { expect, jest, test } from '@jest/globals';
import type { Services } from '../context.ts';
import { throttled } from './throttled.ts';

const processPart = (): Services => ({ live: {}, log: { warn: () => {} } }) as unknown as Services;

test('is told at once, then together at the end of each time in which it was asked again', async () => {
  jest.useFakeTimers();
  const told: string[] = [];
  const ask = throttled(100, async (_, key) => void told.push(key));
  const services = processPart();
  for (let n = 0; n < 5; n += 1) await ask(services, 'a');
  await ask(services, 'b');
  expect(told).toEqual(['a', 'b']);
  jest.advanceTimersByTime(100);
  expect(told).toEqual(['a', 'b', 'a']);
  await ask(services, 'a');
  expect(told).toEqual(['a', 'b', 'a']);
  jest.advanceTimersByTime(100);
  expect(told).toEqual(['a', 'b', 'a', 'a']);
  jest.advanceTimersByTime(100);
  await ask(services, 'a');
  expect(told).toEqual(['a', 'b', 'a', 'a', 'a']);
  jest.useRealTimers();
});

test('the first failure is the asker’s, and the next time is told again', async () => {
  jest.useFakeTimers();
  let isAway = true;
  const ask = throttled(100, async () => {
    if (isAway) throw new Error('away');
  });
  const services = processPart();
  await expect(ask(services, 'a')).rejects.toThrow('away');
  isAway = false;
  jest.advanceTimersByTime(100);
  await expect(ask(services, 'a')).resolves.toBeUndefined();
  jest.useRealTimers();
});
