import { setImmediate } from 'node:timers/promises';

const BUSY_MS = 3;

/** Items one by one; whenever work on them has taken some milliseconds, others have their turn. */
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
