import { setImmediate } from 'node:timers/promises';

/** Splits a list into parts of one size; the last may be smaller. */
export function* batches<Item>(list: readonly Item[], size: number): Generator<Item[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

const BUSY_MS = 3;

/** Yields items one by one. After some milliseconds of work, the event loop runs other work first. */
export async function* inTurns<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  let began = performance.now();
  for (const item of items) {
    if (performance.now() - began > BUSY_MS) {
      await setImmediate();
      began = performance.now();
    }
    yield item;
  }
}
