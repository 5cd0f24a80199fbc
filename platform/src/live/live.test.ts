import { expect, test } from '@jest/globals';
import { createListeners, reconnectDelayMs } from './listeners.ts';
import { liveContract } from './live.fixture.ts';
import { createMemoryLive } from './live-memory.ts';

liveContract(() => createMemoryLive());

test('a message of an unknown form is reported and reaches nobody', () => {
  const errors: unknown[] = [];
  const listeners = createListeners({ onError: (error) => errors.push(error) });
  listeners.subscribe('member', (id) => expect(id).toBe('not delivered'));
  for (const message of ['', '{}', '["member"]', '["member",1]', 'member']) listeners.deliverEncoded(message);
  expect(errors).toHaveLength(5);
});

test('a publisher never runs a listener inside its own call', async () => {
  const live = createMemoryLive();
  let isPublishing = true;
  const received = new Promise((resolve) => live.subscribe('member', () => resolve(isPublishing)));
  const published = live.publish('member', '1');
  isPublishing = false;
  await published;
  expect(await received).toBe(false);
});

test('the wait before connecting again grows from 50 ms to at most 5 s', () => {
  for (let failed = 0; failed < 100; failed++) {
    expect(reconnectDelayMs(failed)).toBeGreaterThanOrEqual(50);
    expect(reconnectDelayMs(failed)).toBeLessThanOrEqual(5_000);
  }
  expect(reconnectDelayMs(99)).toBeGreaterThanOrEqual(2_500);
});
