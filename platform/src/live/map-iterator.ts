import { asyncIterator, DONE } from './async-iterator.ts';

export interface Mapping<T, R> {
  /** One value after the other; what becomes undefined is left out. */
  readonly map: (value: T) => Promise<R | undefined>;
  /** Makes the last value out of what the source or `map` failed with; without it the read fails. */
  readonly lastOf?: (error: unknown) => R;
  /** Called once, however it ends. */
  readonly onEnd?: () => void;
}

/**
 * Maps what an iterator yields. `return()` ends both at any time, provided that the source's own `return()`
 * works while it waits, as that of `liveIterator` does; a value whose mapping is under way is dropped.
 */
export function mapIterator<T, R>(
  source: AsyncIterator<T, unknown>,
  { map, lastOf, onEnd }: Mapping<T, R>,
): AsyncIterableIterator<R, undefined> {
  let isEnded = false;

  async function end(): Promise<void> {
    if (isEnded) return;
    isEnded = true;
    onEnd?.();
    await source.return?.();
  }

  async function read(): Promise<IteratorResult<R, undefined>> {
    while (!isEnded) {
      const step = await source.next();
      if (step.done) break;
      const value = await map(step.value);
      if (value !== undefined && !isEnded) return { done: false, value };
    }
    await end();
    return DONE;
  }

  async function next(): Promise<IteratorResult<R, undefined>> {
    try {
      return await read();
    } catch (error) {
      if (isEnded) return DONE;
      await end();
      if (!lastOf) throw error;
      return { done: false, value: lastOf(error) };
    }
  }

  return asyncIterator(next, end);
}
