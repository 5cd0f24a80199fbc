import type { Log } from '@loyalty/platform/observe/log';

/** Visits that are recorded in one call, and calls at the same time. */
const BATCH_MAX = 100;
const CALLS_MAX = 4;
/** Visits that wait for it; further ones are dropped, so that a flood takes no memory. */
const WAITING_MAX = 10_000;

/** Records visits after they were answered: one at once, many together. */
export interface VisitRecorder<Visit> {
  record(visit: Visit): void;
  /** Ends once what waits is recorded. */
  close(): Promise<void>;
}

/** Visits that cannot be recorded are logged and lost: no recipient waits for them. */
export function createVisitRecorder<Visit>(
  log: Log,
  send: (visits: readonly Visit[]) => Promise<void>,
): VisitRecorder<Visit> {
  const waiting: Visit[] = [];
  const calls = new Set<Promise<void>>();
  let isDropping = false;
  const next = (): void => {
    if (waiting.length === 0 || calls.size >= CALLS_MAX) return;
    isDropping = false;
    const visits = waiting.splice(0, BATCH_MAX);
    const call: Promise<void> = send(visits)
      .catch((error: unknown) => log.warn({ err: error, visits: visits.length }, 'visits not recorded'))
      .finally(() => {
        calls.delete(call);
        next();
      });
    calls.add(call);
  };
  return {
    record(visit) {
      if (waiting.length < WAITING_MAX) {
        waiting.push(visit);
        next();
      } else if (!isDropping) {
        isDropping = true;
        log.warn({ waiting: waiting.length }, 'visits are dropped');
      }
    },
    async close() {
      while (calls.size > 0) await Promise.all(calls);
    },
  };
}
