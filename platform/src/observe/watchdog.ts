import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

const TURN_MS = 1_000;

/** Shared with the thread: turns of the event loop, and whether a debugger may block it. */
export interface WatchedLoop {
  readonly turns: Int32Array;
  readonly seconds: number;
}

/**
 * Kills this process (SIGKILL), with a line on stderr, if its event loop has not turned for some seconds.
 * Such a process answers no request and handles no signal, so it could not be stopped in order. A separate
 * thread checks. Only seconds in which the thread itself runs are counted, so a machine that sleeps or is
 * busy kills nothing. A process with an attached debugger is not killed.
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
  // Without the watchdog the process continues.
  thread.on('error', (error) => process.emitWarning(error));
  thread.unref();
}
