import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { eventually } from '@loyalty/test/harness/eventually';
import { createErrorDigest } from './error-digest.ts';
import { repeatedly } from './repeatedly.ts';

const HOUR = 3_600_000;

function turns(restMs: number) {
  const at: number[] = [];
  const errors = createErrorDigest({ error: () => undefined } as never, 'turn failed');
  const intervals = { everyMs: HOUR, restMs };
  const { wake, stop } = repeatedly(errors, intervals, async () => void at.push(performance.now()));
  return {
    at,
    wake,
    async stop() {
      await stop();
      errors.close();
    },
  };
}

test('what arrives during the rest is done by one turn after it', async () => {
  const { at, wake, stop } = turns(200);
  await delay(5);
  for (let call = 0; call < 5; call += 1) wake();
  while (at.length < 2) await delay(5);
  expect(at[1]! - at[0]!).toBeGreaterThan(195);
  await delay(250);
  await stop();
  expect(at).toHaveLength(2);
});

test('who wakes it after the rest does not wait', async () => {
  const { at, wake, stop } = turns(1);
  await delay(20);
  wake();
  await delay(0);
  await stop();
  expect(at).toHaveLength(2);
});

test('the end does not wait for the rest, and no turn follows it', async () => {
  const { at, wake, stop } = turns(HOUR);
  await delay(5);
  wake();
  await stop();
  wake();
  await delay(5);
  expect(at).toHaveLength(1);
});

test('what arrives during a turn is done by one turn after it', async () => {
  let gate = Promise.withResolvers<void>();
  let begun = 0;
  const errors = createErrorDigest({ error: () => undefined } as never, 'turn failed');
  const { wake, stop } = repeatedly(errors, { everyMs: HOUR }, async () => {
    begun += 1;
    await gate.promise;
  });
  await eventually(() => expect(begun).toBe(1));
  for (let call = 0; call < 5; call += 1) wake();
  const first = gate;
  gate = Promise.withResolvers<void>();
  first.resolve();
  await eventually(() => expect(begun).toBe(2));
  gate.resolve();
  await stop();
  errors.close();
  expect(begun).toBe(2);
});
