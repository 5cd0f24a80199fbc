import type { Piscina } from 'piscina';

/** A thread for work that would block the event loop of this process. */
export interface WorkThread<Job, Result> {
  /**
   * Runs a job in the thread; jobs run one after the other.
   *
   * @param job - copied by structured clone
   * @param signal - cancels the job, and ends the thread if it is running the job
   * @throws the error of the module; an Error if the thread needs too much memory; the signal's reason
   */
  run(job: Job, signal?: AbortSignal): Promise<Result>;
}

/**
 * Creates a thread that starts with its first job and ends after some idle time.
 *
 * @param module - its default export runs a job
 * @param options.memoryMb - a job that needs more memory fails, and the next job gets a new thread
 * @param options.idleMs - default 60,000
 */
export function createWorkThread<Job, Result>(
  module: URL,
  { memoryMb, idleMs = 60_000 }: { readonly memoryMb: number; readonly idleMs?: number },
): WorkThread<Job, Result> {
  let pool: Promise<Piscina<Job, Result>> | undefined;
  // The pool's own queue is not used: after an abort it ignores waiting jobs until another job arrives.
  let turn: Promise<unknown> = Promise.resolve();

  async function runNow(job: Job, signal: AbortSignal | undefined): Promise<Result> {
    signal?.throwIfAborted();
    pool ??= openPool(module, memoryMb, idleMs);
    try {
      return await (await pool).run(job, { signal: signal ?? null });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  return {
    run(job, signal) {
      const mine = turn.then(() => runNow(job, signal));
      turn = mine.catch(() => undefined);
      return mine;
    },
  };
}

/** Loads the library with the first job, because most processes have none. */
async function openPool<Job, Result>(
  module: URL,
  memoryMb: number,
  idleTimeout: number,
): Promise<Piscina<Job, Result>> {
  const { Piscina } = await import('piscina');
  const pool = new Piscina<Job, Result>({
    filename: module.href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  // The end of the thread between two jobs must not end the process; the next job gets a new thread.
  pool.on('error', () => undefined);
  return pool;
}
