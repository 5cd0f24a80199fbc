import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import type { AppError } from '../errors.ts';

interface LimitOptions {
  /** Works at once in one process. */
  readonly runningMax: number;
  /** More would wait for too long, and are refused instead. */
  readonly waitingMax: number;
  /** The refusal. */
  readonly busy: () => AppError;
}

/** Does a work now or in its turn; one whose signal aborts while it waits is never begun. */
export type Limited = <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

/** A limit for work that needs much memory or a processor of its own, so that a process survives a crowd. */
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
