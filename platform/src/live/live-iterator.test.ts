import { getEventListeners } from 'node:events';
import { expect, test } from '@jest/globals';
import { countedLive } from '../work/notes.fixture.ts';
import { liveIterator } from './live-iterator.ts';

const done = { done: true, value: undefined };
const delivered = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

async function read(ids: AsyncIterator<string>, count: number): Promise<unknown[]> {
  const values: unknown[] = [];
  while (values.length < count) values.push((await ids.next()).value);
  return values;
}

test('ids are read in order, those of its own channel only', async () => {
  const live = countedLive();
  const ids = liveIterator(live, 'note');
  await live.publish('note', '1');
  await live.publish('other', '2');
  await live.publish('note', '3');
  expect(await read(ids, 2)).toEqual(['1', '3']);
  const parked = ids.next();
  await live.publish('note', '4');
  expect(await parked).toEqual({ done: false, value: '4' });
});

test('an id that waits already does not wait twice, one that was read does again', async () => {
  const live = countedLive();
  const ids = liveIterator(live, 'note', { first: ['1'] });
  for (const id of ['1', '2', '1', '2']) await live.publish('note', id);
  await delivered();
  expect(await read(ids, 2)).toEqual(['1', '2']);
  await live.publish('note', '1');
  expect(await read(ids, 1)).toEqual(['1']);
});

test('return() ends a waiting read at once and unsubscribes from everything', async () => {
  const live = countedLive();
  const { signal } = new AbortController();
  const ids = liveIterator(live, 'note', { signal, missed: async () => [] });
  expect([live.listeners, getEventListeners(signal, 'abort').length]).toEqual([2, 1]);
  const parked = [ids.next(), ids.next()];
  await ids.return!();
  expect([live.listeners, getEventListeners(signal, 'abort').length]).toEqual([0, 0]);
  expect(await Promise.all(parked)).toEqual([done, done]);
  expect(await ids.next()).toEqual(done);
});

test.each(['before', 'after'])(
  'a signal that aborts %s the start ends it, and nothing is held',
  async (when) => {
    const live = countedLive();
    const controller = new AbortController();
    if (when === 'before') controller.abort();
    const ids = liveIterator(live, 'note', { signal: controller.signal });
    const parked = ids.next();
    controller.abort();
    expect(await parked).toEqual(done);
    expect([live.listeners, getEventListeners(controller.signal, 'abort').length]).toEqual([0, 0]);
  },
);

test('a thousand ids wait, one more ends it with SLOW_CONSUMER and keeps none of them', async () => {
  const live = countedLive();
  const ids = liveIterator(live, 'note');
  for (let n = 0; n < 1_000; n += 1) await live.publish('note', `${n}`);
  await live.publish('note', '0');
  await delivered();
  expect(live.listeners).toBe(2);
  await live.publish('note', 'one-more');
  await delivered();
  expect(live.listeners).toBe(0);
  await expect(ids.next()).rejects.toMatchObject({ category: 'RATE_LIMITED', code: 'SLOW_CONSUMER' });
  expect(await ids.next()).toEqual(done);
});

test('after an interruption the missed ids are read; a failure to find them ends it', async () => {
  const live = countedLive();
  const found = [['1', '2'], ['3']];
  const ids = liveIterator(live, 'note', {
    missed: async () => found.shift() ?? Promise.reject(new Error('away')),
  });
  live.gap();
  expect(await read(ids, 2)).toEqual(['1', '2']);
  live.gap();
  expect(await read(ids, 1)).toEqual(['3']);
  const parked = ids.next();
  live.gap();
  await expect(parked).rejects.toThrow('away');
  expect([await ids.next(), live.listeners]).toEqual([done, 0]);
});

test('leaving a for-await loop, by a break or by an error, unsubscribes from the channel', async () => {
  const live = countedLive();
  for await (const id of liveIterator(live, 'note', { first: ['1'] })) if (id === '1') break;
  const failing = async () => {
    for await (const id of liveIterator(live, 'note', { first: ['1'] })) throw new Error(id);
  };
  await expect(failing()).rejects.toThrow('1');
  expect(live.listeners).toBe(0);
});
