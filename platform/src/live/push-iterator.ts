import { asyncIterator, DONE } from './async-iterator.ts';

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
