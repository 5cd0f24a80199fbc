import type { Attempt, ClaimedDelivery } from './attempt.ts';
import type { EndpointRoom, Position } from './sending.store.ts';

/** Requests that one worker has under way. */
const IN_FLIGHT_MAX = 256;
/** Requests to one endpoint at the same time: as it answers, it gets more or fewer. */
export const ENDPOINT_START = 16;
const ENDPOINT_MAX = 64;
const ENDPOINT_FAILING = 2;
/** So many answers in succession, and an endpoint gets more at once. */
const STEADY_ANSWERS = 32;
/** So many failures in succession, and it gets as few as show whether it is back. */
const FAILING_ANSWERS = 3;
/** Endpoints that are remembered after their last request. */
const PACES_MAX = 10_000;

/**
 * The requests that this worker has under way, and how many more it may start. It only paces: which worker
 * sends a delivery, and what becomes of it, the database decides.
 */
export interface Window {
  /** Requests that may be started now. */
  readonly room: () => number;
  /** The endpoints that may get another number of requests than one that is not known. */
  readonly rooms: () => EndpointRoom[];
  /** Starts a request. */
  readonly start: (delivery: ClaimedDelivery, send: () => Promise<Attempt>) => void;
  /** Requests that have ended and are not written yet; whoever writes them takes them out. */
  readonly ended: Attempt[];
  /** Resolves once no request is under way. */
  readonly quiet: () => Promise<void>;
  /** Where the next search for deliveries goes on. */
  position: Position | null;
}

/** @param onEnd - called whenever a request has ended */
export function createWindow(onEnd: () => void): Window {
  const inFlight = new Map<string, number>();
  const paces = createPaces();
  const running = new Set<Promise<void>>();
  const ended: Attempt[] = [];
  const roomOf = (endpointId: string): number =>
    Math.max(0, paces.limitOf(endpointId) - (inFlight.get(endpointId) ?? 0));

  function leave(endpointId: string): void {
    const left = inFlight.get(endpointId)! - 1;
    if (left > 0) inFlight.set(endpointId, left);
    else inFlight.delete(endpointId);
  }

  return {
    ended,
    position: null,
    room: () => IN_FLIGHT_MAX - running.size,
    rooms: () =>
      [...new Set([...inFlight.keys(), ...paces.known()])].map((endpointId) => ({
        endpointId,
        room: roomOf(endpointId),
      })),
    start({ endpointId }, send) {
      inFlight.set(endpointId, (inFlight.get(endpointId) ?? 0) + 1);
      const request = send().then((attempt) => {
        leave(endpointId);
        paces.note(endpointId, attempt);
        running.delete(request);
        ended.push(attempt);
        onEnd();
      });
      running.add(request);
    },
    async quiet() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** How endpoints have answered lately: successes in succession, or failures as a negative number. */
function createPaces() {
  const paces = new Map<string, number>();
  return {
    /** Those that do not answer as one that is not known. */
    known: () => [...paces].filter(([, pace]) => limitAt(pace) !== ENDPOINT_START).map(([id]) => id),
    limitOf: (endpointId: string): number => limitAt(paces.get(endpointId)),
    note(endpointId: string, { outcome }: Attempt): void {
      const pace = paces.get(endpointId) ?? 0;
      paces.delete(endpointId);
      paces.set(endpointId, outcome === 'UNAVAILABLE' ? Math.min(pace, 0) - 1 : Math.max(pace, 0) + 1);
      if (paces.size > PACES_MAX) paces.delete(paces.keys().next().value!);
    },
  };
}

function limitAt(pace = 0): number {
  if (pace <= -FAILING_ANSWERS) return ENDPOINT_FAILING;
  return pace >= STEADY_ANSWERS ? ENDPOINT_MAX : ENDPOINT_START;
}
