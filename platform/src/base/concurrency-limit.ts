import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import type { AppError } from './errors.ts';

interface LimitOptions {
  /** Maximum of calls that run at the same time in one process. */
  readonly runningMax: number;
  /** Maximum of waiting calls. Further calls are refused, because they would wait for too long. */
  readonly waitingMax: number;
  /** The error for a refused call. */
  readonly busy: () => AppError;
}

/** Runs the call at once or when a place is free. A call whose signal aborts while it waits never begins. */
export type Limited = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

/** Limits the concurrency of calls that need much memory or processor time. */
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
