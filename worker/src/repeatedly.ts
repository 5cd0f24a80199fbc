import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorDigest } from './error-digest.ts';

interface Intervals {
  /** Milliseconds between two turns without a wake-up. */
  readonly everyMs: number;
  /** Minimum milliseconds between the starts of two turns; several wake-ups in this time lead to one turn. */
  readonly restMs?: number;
}

/**
 * Runs `act` every `everyMs`, and after each wake-up: at once, or when the rest after the last turn is over.
 * Turns never overlap. A failure is logged, and the next turn tries again.
 */
export function repeatedly(
  errors: ErrorDigest,
  { everyMs, restMs = 0 }: Intervals,
  act: () => Promise<void>,
) {
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
    /** Runs a turn after the current one; for tests. */
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
