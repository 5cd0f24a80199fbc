import { asyncIterator, DONE } from './async-iterator.ts';

/** Yields the items of lists one after the other; `return()` ends it and its source at any time. */
export function flatIterator<T>(
  source: AsyncIterator<readonly T[], unknown>,
): AsyncIterableIterator<T, undefined> {
  const waiting: T[] = [];

  async function next(): Promise<IteratorResult<T, undefined>> {
    while (waiting.length === 0) {
      const step = await source.next();
      if (step.done) return DONE;
      waiting.push(...step.value);
    }
    return { done: false, value: waiting.shift()! };
  }
  async function end(): Promise<void> {
    waiting.length = 0;
    await source.return?.();
  }
  return asyncIterator(next, end);
}
