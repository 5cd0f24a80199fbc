/** The result of reading an ended iterator. */
export const DONE = { done: true, value: undefined } as const;

/**
 * An async iterator made of two functions. Unlike an async generator, it can be ended while a read waits:
 * `return()` calls `end` at once, which must end the waiting reads.
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

/** Yields the items of lists one after the other; `return()` ends the iterator and its source at any time. */
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
  /** Maps one value at a time; undefined drops the value. */
  readonly map: (value: T) => Promise<R | undefined>;
  /** Makes a last value from the error of the source or of `map`. Without this function the read fails. */
  readonly lastOf?: (error: unknown) => R;
  /** Called once, after any kind of end. */
  readonly onEnd?: () => void;
}

/**
 * Maps the values of an iterator. `return()` ends both at any time, provided that the source's own `return()`
 * works while a read waits, as in `liveIterator`. A value that is being mapped at that moment is dropped.
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

/** An async iterator that other code pushes values into; `return()` ends it, even while a read waits. */
export interface PushIterator<T> extends AsyncIterableIterator<T, undefined> {
  /**
   * Gives the value to a waiting read, or queues it. A value that is already queued is not queued twice.
   *
   * @returns false if the queue is full: the value is lost
   */
  push(value: T): boolean;
  /** Queues the value in place of all queued values. */
  replace(value: T): void;
  /**
   * Ends the iterator after the queued values. With `last`, the queue is dropped and `last` is read instead.
   */
  end(last?: T): void;
  /** Drops the queue; the next read fails, and the iterator ends. */
  fail(error: Error): void;
}

/**
 * Makes a `PushIterator`.
 *
 * @param options.max - maximum of queued values
 * @param options.onEnd - called once, after any kind of end; unsubscribes from the source
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

/**
 * A queue of values that wait for reads, or of reads that wait for values. `finish` decides the results that
 * follow.
 */
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

/** Returns a read function whose first call fails; later calls return `DONE`. */
function failingOnce(error: Error): () => Promise<typeof DONE> {
  let isReported = false;
  return async () => {
    if (isReported) return DONE;
    isReported = true;
    throw error;
  };
}
