import type { Piscina } from 'piscina';

/** A thread for work that would keep everybody else of this process waiting. */
export interface WorkThread<Job, Result> {
  /**
   * Has the thread do a job; jobs are done one after the other.
   *
   * @param job - copied by structured clone
   * @param signal - gives the job up, and ends the thread that is doing it
   * @throws what the module throws, an Error where the thread needs too much memory; the signal's reason
   */
  run(job: Job, signal?: AbortSignal): Promise<Result>;
}

/**
 * A thread that starts with its first job, and ends after some idle time.
 *
 * @param module - its default export does a job
 * @param options.memoryMb - a job that needs more fails, and the next one has a new thread
 * @param options.idleMs - default 60,000
 */
export function createWorkThread<Job, Result>(
  module: URL,
  { memoryMb, idleMs = 60_000 }: { readonly memoryMb: number; readonly idleMs?: number },
): WorkThread<Job, Result> {
  let pool: Promise<Piscina<Job, Result>> | undefined;
  // The pool's own queue is not used: after an abort it forgets what waits, until another job comes.
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

/** The library is loaded for the first job: most processes have none. */
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
  // Whatever ends the thread between two jobs must not end the process; the next job has a new thread.
  pool.on('error', () => undefined);
  return pool;
}
