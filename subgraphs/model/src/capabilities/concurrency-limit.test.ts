import { expect, test } from '@jest/globals';
import { withConcurrencyLimit } from './concurrency-limit.ts';

test('at most that many run at once, the next starts when one ends, and results keep the order', async () => {
  const gates = Array.from({ length: 5 }, () => Promise.withResolvers<string>());
  const started: number[] = [];
  const all = withConcurrencyLimit(3, [0, 1, 2, 3, 4], (item) => {
    started.push(item);
    return gates[item]!.promise;
  });
  expect(started).toEqual([0, 1, 2]);
  gates[1]!.reject(new Error('on purpose'));
  await expect(gates[1]!.promise).rejects.toThrow();
  await new Promise(setImmediate);
  expect(started).toEqual([0, 1, 2, 3]);
  for (const [item, gate] of gates.entries()) gate.resolve(`done ${item}`);
  const settled = await all;
  expect(started).toEqual([0, 1, 2, 3, 4]);
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(settled[4]).toEqual({ status: 'fulfilled', value: 'done 4' });
});

test('there may be fewer items than the limit, or none', async () => {
  expect(await withConcurrencyLimit(3, ['a'], async (item) => item)).toEqual([
    { status: 'fulfilled', value: 'a' },
  ]);
  expect(await withConcurrencyLimit(3, [], async (item) => item)).toEqual([]);
});
