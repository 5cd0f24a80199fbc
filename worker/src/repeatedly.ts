import type { ErrorDigest } from './error-digest.ts';

/**
 * Runs `act` every `everyMs`, at once when woken, never twice at a time; a failure is logged and tried again.
 */
export function repeatedly(errors: ErrorDigest, everyMs: number, act: () => Promise<void>) {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const run = async (): Promise<void> => {
    do {
      again = false;
      await act();
    } while (again && !stopped);
  };
  const wake = (): void => {
    if (stopped) return;
    if (running !== null) again = true;
    else {
      running = run()
        .catch(errors.report)
        .finally(() => {
          running = null;
        });
    }
  };
  const timer = setInterval(wake, everyMs);
  wake();
  return {
    wake,
    async run() {
      await running;
      await act();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
