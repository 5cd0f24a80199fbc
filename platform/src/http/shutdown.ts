import type { Log } from '../observe/log.ts';
import { startWatchdog } from '../observe/watchdog.ts';

const STOP_MS = 20_000;
/**
 * Time in which repeated signals count as one: a Ctrl-C arrives from the terminal, from npm, and from
 * processes that npm runs.
 */
const ECHO_MS = 1_000;
/** No regular work blocks the event loop for a second; a loop that is blocked for this time hangs. */
const HANG_SECONDS = 30;

/**
 * Ends the process on SIGTERM or SIGINT: runs the steps in order, then exits with 0. It exits with 1 if the
 * steps take longer than 20 s plus `delayMs` (the delay that is one of the steps), or on another signal more
 * than a second later. A process whose event loop hangs receives no signal; it is killed after 30 s.
 */
export function stopOnSignal(log: Log, steps: readonly (() => Promise<void>)[], delayMs = 0): void {
  let stoppingSince: number | null = null;
  const stop = (signal: string): void => {
    const now = performance.now();
    if (stoppingSince !== null && now - stoppingSince > ECHO_MS) process.exit(1);
    if (stoppingSince !== null) return;
    stoppingSince = now;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.error(`stopping took longer than ${(STOP_MS + delayMs) / 1_000} s`);
      process.exit(1);
    }, STOP_MS + delayMs).unref();
    void run(log, steps);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  startWatchdog(HANG_SECONDS);
}

async function run(log: Log, steps: readonly (() => Promise<void>)[]): Promise<void> {
  let failed = false;
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      failed = true;
      log.error({ err: error }, 'a step of stopping failed');
    }
  }
  process.exit(failed ? 1 : 0);
}
