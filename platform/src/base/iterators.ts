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

type Step<T> = IteratorResult<T, undefined>;

/** An async iterator that is fed from outside; `return()` ends it also while a read waits. */
export interface PushIterator<T> extends AsyncIterableIterator<T, undefined> {
  /**
   * Gives the value to a waiting read, or keeps it; a value that is kept already is not kept twice.
   *
   * @returns false when as many others are kept as may be: the value is lost
   */
  push(value: T): boolean;
  /** The same in place of what is kept. */
  replace(value: T): void;
  /** Ends it after what is kept; with `last`, what is kept is dropped and `last` is read in its place. */
  end(last?: T): void;
  /** Drops what is kept; the next read fails, and ends it. */
  fail(error: Error): void;
}

/**
 * Makes an iterator to be fed.
 *
 * @param options.max - values kept at most
 * @param options.onEnd - called once, however it ends: unsubscribes from what feeds it
 */
export function pushIterator<T>(options: { max: number; onEnd: () => void }): PushIterator<T> {
  const { kept, push, read, finish, isFinished } = queue<T>(options);
  const drop = () => {
    kept.clear();
    finish(ended);
  };
  return Object.assign(asyncIterator(read, drop), {
    push,
    replace(value: T) {
      kept.clear();
      push(value);
    },
    end(last?: T) {
      if (last !== undefined && !isFinished()) {
        kept.clear();
        push(last);
      }
      finish(ended);
    },
    fail(error: Error) {
      if (isFinished()) return;
      kept.clear();
      finish(failingOnce(error));
    },
  });
}

/** Values that wait for reads, or reads that wait for values; what `finish` is given comes after them. */
function queue<T>({ max, onEnd }: { max: number; onEnd: () => void }) {
  const kept = new Set<T>();
  const readers: PromiseWithResolvers<Step<T>>[] = [];
  let after: (() => Promise<Step<T>>) | null = null;
  return {
    kept,
    isFinished: () => after !== null,
    push(value: T): boolean {
      if (after) return true;
      const reader = readers.shift();
      if (reader) reader.resolve({ done: false, value });
      else if (kept.size >= max && !kept.has(value)) return false;
      else kept.add(value);
      return true;
    },
    async read(): Promise<Step<T>> {
      for (const value of kept) {
        kept.delete(value);
        return { done: false, value };
      }
      if (after) return after();
      const reader = Promise.withResolvers<Step<T>>();
      readers.push(reader);
      return reader.promise;
    },
    finish(last: () => Promise<Step<T>>): void {
      const isFirst = after === null;
      after = last;
      for (const reader of readers.splice(0)) reader.resolve(last());
      if (isFirst) onEnd();
    },
  };
}

const ended = async (): Promise<typeof DONE> => DONE;

/** The first read fails, the others are done. */
function failingOnce(error: Error): () => Promise<typeof DONE> {
  let isReported = false;
  return async () => {
    if (isReported) return DONE;
    isReported = true;
    throw error;
  };
}
