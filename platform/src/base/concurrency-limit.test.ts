import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { concurrencyLimit } from './concurrency-limit.ts';
import { unavailable } from './errors.ts';

const busy = () => unavailable('SIGN_IN_BUSY', 'Try again.', 5);

/** Calls that end when the test calls `end`, and a list of the calls that have begun. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = async (name: string) => {
    ends.get(name)!();
    await setImmediate();
  };
  return { begun, work, end };
}

test('so many calls run at once, the next in the order in which they came, more are refused', async () => {
  const limited = concurrencyLimit({ runningMax: 2, waitingMax: 2, busy });
  const { begun, work, end } = works();
  const results = ['a', 'b', 'c', 'd'].map((name) => limited(work(name)));
  await expect(limited(work('e'))).rejects.toMatchObject({
    category: 'UNAVAILABLE',
    code: 'SIGN_IN_BUSY',
    details: { retryAfterSeconds: 5 },
  });
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  await end('a');
  await end('c');
  await end('d');
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
});

test('a call that fails leaves its place to the next', async () => {
  const limited = concurrencyLimit({ runningMax: 1, waitingMax: 1, busy });
  const failed = limited(() => Promise.reject(new Error('lost')));
  const next = limited(async () => 'done');
  await expect(failed).rejects.toThrow('lost');
  await expect(next).resolves.toBe('done');
});

test('a call whose signal aborts while it waits is not begun', async () => {
  const limited = concurrencyLimit({ runningMax: 1, waitingMax: 2, busy });
  const { begun, work, end } = works();
  const client = new AbortController();
  const [first, gone, last] = [
    limited(work('first')),
    limited(work('gone'), client.signal),
    limited(work('last')),
  ];
  client.abort(new Error('The client is gone.'));
  const refused = expect(gone).rejects.toThrow('The client is gone.');
  await end('first');
  await refused;
  expect(begun).toEqual(['first', 'last']);
  await end('last');
  expect(await Promise.all([first, last])).toEqual(['first', 'last']);
});
