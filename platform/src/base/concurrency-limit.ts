import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import type { AppError } from './errors.ts';

interface LimitOptions {
  /** Calls that run at once in one process. */
  readonly runningMax: number;
  /** More would wait for too long, and are refused instead. */
  readonly waitingMax: number;
  /** The refusal. */
  readonly busy: () => AppError;
}

/** Runs the call now, or when it is its turn; one whose signal aborts while it waits never begins. */
export type Limited = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

/** Limits calls that need much memory or a processor each: many at once must not take all of a process. */
export function concurrencyLimit({ runningMax, waitingMax, busy }: LimitOptions): Limited {
  const places = bulkhead(runningMax, waitingMax);
  return async (work, signal) => {
    try {
      return await places.execute(work, signal);
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw busy();
      signal?.throwIfAborted();
      throw error;
    }
  };
}
