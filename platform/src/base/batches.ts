import { setImmediate } from 'node:timers/promises';

/** A list in parts of one size; the last may be smaller. */
export function* batches<Item>(list: readonly Item[], size: number): Generator<Item[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

const BUSY_MS = 3;

/** Items one by one; after some milliseconds of work on them the event loop does other work first. */
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
