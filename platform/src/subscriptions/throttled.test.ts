/** @jest-environment node */
import { expect, jest, test } from '@jest/globals';
import type { Services } from '../context.ts';
import { throttled } from './throttled.ts';

const processPart = (): Services => ({ live: {}, log: { warn: () => {} } }) as unknown as Services;

test('a key is published at once, then once at the end of each interval with further calls', async () => {
  jest.useFakeTimers();
  const published: string[] = [];
  const publish = throttled(100, async (_, key) => void published.push(key));
  const services = processPart();
  for (let n = 0; n < 5; n += 1) await publish(services, 'a');
  await publish(services, 'b');
  expect(published).toEqual(['a', 'b']);
  jest.advanceTimersByTime(100);
  expect(published).toEqual(['a', 'b', 'a']);
  await publish(services, 'a');
  expect(published).toEqual(['a', 'b', 'a']);
  jest.advanceTimersByTime(100);
  expect(published).toEqual(['a', 'b', 'a', 'a']);
  jest.advanceTimersByTime(100);
  await publish(services, 'a');
  expect(published).toEqual(['a', 'b', 'a', 'a', 'a']);
  jest.useRealTimers();
});

test('the first failure is the caller’s, and the next call publishes again', async () => {
  jest.useFakeTimers();
  let isAway = true;
  const publish = throttled(100, async () => {
    if (isAway) throw new Error('away');
  });
  const services = processPart();
  await expect(publish(services, 'a')).rejects.toThrow('away');
  isAway = false;
  jest.advanceTimersByTime(100);
  await expect(publish(services, 'a')).resolves.toBeUndefined();
  jest.useRealTimers();
});
