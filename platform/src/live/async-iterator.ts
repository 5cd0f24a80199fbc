/** What a read of an ended iterator yields. */
export const DONE = { done: true, value: undefined } as const;

/**
 * An async iterator by hand. An async generator that waits for its next value cannot be ended before that
 * value comes; `return()` of this one calls `end` at once, which has to end the reads that wait.
 */
export const asyncIterator = <T>(
  next: () => Promise<IteratorResult<T, undefined>>,
  end: () => void | Promise<void>,
): AsyncIterableIterator<T, undefined> => ({
  next,
  async return() {
    await end();
    return DONE;
  },
  async throw(error) {
    await end();
    throw error;
  },
  [Symbol.asyncIterator]() {
    return this;
  },
});
