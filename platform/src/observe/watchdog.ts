import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

const TURN_MS = 1_000;

/** Shared with the thread: how often the event loop has turned, and whether a debugger may hold it. */
export interface WatchedLoop {
  readonly turns: Int32Array;
  readonly seconds: number;
}

/**
 * Ends this process by SIGKILL, with a line on stderr, once its event loop has not turned for some seconds:
 * it would answer nobody and hear no signal, so nobody could stop it in order. A thread of its own checks;
 * the seconds are those in which the thread itself runs, so a machine that was asleep or is busy ends
 * nothing. A process in which a debugger listens is left alone.
 */
export function startWatchdog(seconds: number): void {
  const turns = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const count = () => {
    Atomics.add(turns, 0, 1);
    Atomics.store(turns, 1, inspectorUrl() === undefined ? 0 : 1);
  };
  count();
  setInterval(count, TURN_MS).unref();
  const thread = new Worker(new URL('./watchdog.thread.mjs', import.meta.url), {
    workerData: { turns, seconds } satisfies WatchedLoop,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  // Without it the process goes on.
  thread.on('error', (error) => process.emitWarning(error));
  thread.unref();
}
