import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorDigest } from './error-digest.ts';

interface Pace {
  /** Between two turns that nobody asks for. */
  readonly everyMs: number;
  /** Between the beginnings of two turns at least: what arrives meanwhile is done by one turn. */
  readonly restMs?: number;
}

/**
 * Runs `act` every `everyMs`, and when woken: at once, or when the rest since the last turn is over. It never
 * runs twice at a time; a failure is logged and tried again.
 */
export function repeatedly(errors: ErrorDigest, { everyMs, restMs = 0 }: Pace, act: () => Promise<void>) {
  let running: Promise<void> | null = null;
  let again = false;
  let restsUntil = 0;
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = (): Promise<unknown> => {
    const ms = restsUntil - performance.now();
    return ms > 0 ? delay(ms, undefined, { signal }).catch(() => undefined) : Promise.resolve();
  };
  const run = async (): Promise<void> => {
    do {
      await rest();
      if (signal.aborted) return;
      again = false;
      restsUntil = performance.now() + restMs;
      await act();
    } while (again);
  };
  const wake = (): void => {
    if (signal.aborted) return;
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
    /** A turn now, after the one that runs; for tests. */
    async run() {
      await running;
      await act();
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
