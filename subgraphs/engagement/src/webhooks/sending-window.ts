import type { Attempt, ClaimedDelivery } from './attempt.ts';
import type { EndpointCapacity, Position } from './sending.store.ts';

/** Maximum number of requests that one worker sends at the same time. */
const IN_FLIGHT_MAX = 256;
/** Concurrency limit of one endpoint at first. Its responses raise or lower the limit. */
export const ENDPOINT_START = 16;
const ENDPOINT_MAX = 64;
const ENDPOINT_FAILING = 2;
/** Successes in a row that raise the limit of an endpoint. */
const STEADY_SUCCESSES = 32;
/**
 * Failures in a row that lower the limit. The few remaining requests show whether the endpoint works again.
 */
const STEADY_FAILURES = 3;
/** Maximum number of endpoints whose streaks are remembered. */
const STREAKS_MAX = 10_000;

/**
 * The running requests of this worker, and the number of requests that it may start. It only limits
 * concurrency. The database decides which worker sends a delivery.
 */
export interface Window {
  /** Number of requests that may be started now. */
  readonly capacity: () => number;
  /** The capacity of endpoints that differ from an unknown endpoint. */
  readonly capacities: () => EndpointCapacity[];
  /** Starts a request. */
  readonly start: (delivery: ClaimedDelivery, send: () => Promise<Attempt>) => void;
  /** Finished requests that are not written yet. The writer removes them. */
  readonly ended: Attempt[];
  /** Resolves when no request is running. */
  readonly idle: () => Promise<void>;
  /** The position at which the next search for deliveries continues. */
  position: Position | null;
}

/** @param onEnd - called after each request */
export function createWindow(onEnd: () => void): Window {
  const inFlight = new Map<string, number>();
  const streaks = createStreaks();
  const running = new Set<Promise<void>>();
  const ended: Attempt[] = [];
  const freeOf = (endpointId: string): number =>
    Math.max(0, streaks.limitOf(endpointId) - (inFlight.get(endpointId) ?? 0));

  function leave(endpointId: string): void {
    const left = inFlight.get(endpointId)! - 1;
    if (left > 0) inFlight.set(endpointId, left);
    else inFlight.delete(endpointId);
  }

  return {
    ended,
    position: null,
    capacity: () => IN_FLIGHT_MAX - running.size,
    capacities: () =>
      [...new Set([...inFlight.keys(), ...streaks.known()])].map((endpointId) => ({
        endpointId,
        free: freeOf(endpointId),
      })),
    start({ endpointId }, send) {
      inFlight.set(endpointId, (inFlight.get(endpointId) ?? 0) + 1);
      const request = send().then((attempt) => {
        leave(endpointId);
        streaks.record(endpointId, attempt);
        running.delete(request);
        ended.push(attempt);
        onEnd();
      });
      running.add(request);
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** The streak of each endpoint: its last successes in a row, or its last failures as a negative number. */
function createStreaks() {
  const streaks = new Map<string, number>();
  return {
    /** Endpoints whose limit differs from the limit of an unknown endpoint. */
    known: () => [...streaks].filter(([, streak]) => limitAt(streak) !== ENDPOINT_START).map(([id]) => id),
    limitOf: (endpointId: string): number => limitAt(streaks.get(endpointId)),
    record(endpointId: string, { outcome }: Attempt): void {
      const streak = streaks.get(endpointId) ?? 0;
      streaks.delete(endpointId);
      streaks.set(endpointId, outcome === 'UNAVAILABLE' ? Math.min(streak, 0) - 1 : Math.max(streak, 0) + 1);
      if (streaks.size > STREAKS_MAX) streaks.delete(streaks.keys().next().value!);
    },
  };
}

function limitAt(streak = 0): number {
  if (streak <= -STEADY_FAILURES) return ENDPOINT_FAILING;
  return streak >= STEADY_SUCCESSES ? ENDPOINT_MAX : ENDPOINT_START;
}
