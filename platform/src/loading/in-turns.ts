import { setImmediate } from 'node:timers/promises';

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
