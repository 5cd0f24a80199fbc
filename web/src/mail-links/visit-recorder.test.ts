import { expect, test } from '@jest/globals';
import type { Log } from '@loyalty/platform/observe/log';
import { createVisitRecorder } from './visit-recorder.ts';

function recorder(send: (visits: readonly number[]) => Promise<void>) {
  const warnings: string[] = [];
  const log = { warn: (_: unknown, message: string) => warnings.push(message) } as unknown as Log;
  return { warnings, ...createVisitRecorder(log, send) };
}
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

test('records one visit at once and many together, all of them once before it closes', async () => {
  const batches: (readonly number[])[] = [];
  let [running, most] = [0, 0];
  const { record, close } = recorder(async (visits) => {
    running += 1;
    most = Math.max(most, running);
    batches.push(visits);
    await new Promise(setImmediate);
    running -= 1;
  });
  for (const number of numbers(1_000)) record(number);
  await close();
  expect(batches[0]).toEqual([0]);
  expect(batches.flat()).toEqual(numbers(1_000));
  expect([running, most, Math.max(...batches.map(({ length }) => length))]).toEqual([0, 4, 100]);
});

test('visits that cannot be recorded are logged, and the next ones are recorded', async () => {
  const done: number[] = [];
  const { record, close, warnings } = recorder(async (visits) => {
    if (visits.includes(0)) throw new Error('on purpose');
    done.push(...visits);
  });
  for (const number of numbers(10)) record(number);
  await close();
  expect([done, warnings]).toEqual([numbers(10).slice(1), ['visits not recorded']]);
});

test('a flood is dropped, not kept, and logged once', async () => {
  let done = 0;
  const { record, close, warnings } = recorder(async (visits) => {
    await new Promise(setImmediate);
    done += visits.length;
  });
  for (const number of numbers(20_000)) record(number);
  await close();
  expect([done, warnings]).toEqual([10_004, ['visits are dropped']]);
});
