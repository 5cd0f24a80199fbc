import type { Caller } from '@loyalty/platform/caller/caller';
import type { Request } from '@loyalty/platform/context';
import type { Variables } from '../../transport/transport.ts';
import type { Answer } from './answer.ts';
import type { CompiledOperation } from './compiled-operation.ts';

interface Query {
  readonly operation: CompiledOperation;
  readonly variables: Variables;
  readonly from: Request;
}

interface Flight {
  readonly answer: Promise<Answer>;
  readonly controller: AbortController;
  /** Clients that still wait. */
  waiting: number;
}

/** Queries in flight: who asks for the same as somebody just now, shares his answer. */
export interface Flights {
  /** Joins the flight of the same caller, operation and variables, or starts it with `run`. */
  join(query: Query, run: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
  /** Runs a write; no query that asks during or after it joins a flight from before. */
  write(run: () => Promise<Answer>): Promise<Answer>;
}

/**
 * Keeps flights of this process. A flight that began before a write of this process is joined by nobody after
 * it: who has written reads what he wrote.
 */
export function createFlights(): Flights {
  const byCaller = new WeakMap<Caller, WeakMap<CompiledOperation, Map<string, Flight>>>();
  let writes = 0;

  return {
    join({ operation, variables, from }, run) {
      const flights = flightsOf(byCaller, from.caller, operation);
      const key = `${writes} ${JSON.stringify(variables)}`;
      const known = flights.get(key);
      const land = () => flights.get(key) === flight && flights.delete(key);
      const flight = known ?? depart(run, () => land());
      flights.set(key, flight);
      return board(flight, from.signal, land);
    },
    async write(run) {
      writes += 1;
      try {
        return await run();
      } finally {
        writes += 1;
      }
    },
  };
}

function flightsOf(
  byCaller: WeakMap<Caller, WeakMap<CompiledOperation, Map<string, Flight>>>,
  caller: Caller,
  operation: CompiledOperation,
): Map<string, Flight> {
  const byOperation = byCaller.get(caller) ?? new WeakMap<CompiledOperation, Map<string, Flight>>();
  byCaller.set(caller, byOperation);
  const flights = byOperation.get(operation) ?? new Map<string, Flight>();
  byOperation.set(operation, flights);
  return flights;
}

function depart(run: (signal: AbortSignal) => Promise<Answer>, land: () => void): Flight {
  const controller = new AbortController();
  return { answer: run(controller.signal).finally(land), controller, waiting: 0 };
}

/** The work stops when the last of its clients has gone. */
async function board(flight: Flight, signal: AbortSignal | undefined, close: () => void): Promise<Answer> {
  flight.waiting += 1;
  const leave = () => {
    flight.waiting -= 1;
    if (flight.waiting > 0) return;
    close();
    flight.controller.abort();
  };
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave, { once: true });
  try {
    return await flight.answer;
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}
