import { expect, test } from '@jest/globals';
import { mapIterator, pushIterator } from './iterators.ts';

const done = { done: true, value: undefined };

function numbers(...values: number[]) {
  let ends = 0;
  const source = pushIterator<number>({
    max: 100,
    onEnd: () => {
      ends += 1;
    },
  });
  for (const value of values) source.push(value);
  return { source, ends: () => ends };
}

test('values are mapped one after the other, undefined is left out, the end is passed on', async () => {
  const { source } = numbers(1, 2, 3);
  let ends = 0;
  const mapped = mapIterator(source, {
    map: async (value) => (value === 2 ? undefined : value * 10),
    onEnd: () => {
      ends += 1;
    },
  });
  source.end();
  const read: number[] = [];
  for await (const value of mapped) read.push(value);
  expect(read).toEqual([10, 30]);
  expect(ends).toBe(1);
});

test('return() ends a read that waits for the source, and the source', async () => {
  const { source, ends } = numbers();
  const mapped = mapIterator(source, { map: async (value) => value });
  const parked = mapped.next();
  await mapped.return!();
  expect([await parked, ends()]).toEqual([done, 1]);
});

test('return() drops the value that is being mapped', async () => {
  const { source, ends } = numbers(1);
  const gate = Promise.withResolvers<number>();
  const mapped = mapIterator(source, { map: () => gate.promise });
  const parked = mapped.next();
  await mapped.return!();
  expect(ends()).toBe(1);
  gate.resolve(1);
  expect(await parked).toEqual(done);
});

test('a failure, of source or mapping, ends both: by a last value where one can be made', async () => {
  for (const lastOf of [undefined, (error: unknown) => String(error)]) {
    for (const failsIn of ['source', 'map']) {
      const { source, ends } = numbers(1);
      if (failsIn === 'source') source.fail(new Error('away'));
      const map = () => Promise.reject(new Error('away'));
      const mapped = mapIterator<number, string>(source, { map, ...(lastOf && { lastOf }) });
      if (lastOf) expect(await mapped.next()).toEqual({ done: false, value: 'Error: away' });
      else await expect(mapped.next()).rejects.toThrow('away');
      expect([await mapped.next(), ends()]).toEqual([done, 1]);
    }
  }
});
