import type { Caller } from '@loyalty/platform/base/caller';
import type { Request } from '@loyalty/platform/context';
import type { Variables } from '../../transport/transport.ts';
import type { Answer } from './answer.ts';
import { startWork, type WorkInFlight } from './work-in-flight.ts';

/** The identity of a query, and the client that waits for it. */
export interface Query {
  /** Compared by identity. */
  readonly operation: object;
  readonly variables: Variables;
  readonly from: Request;
}

/** Queries in flight. Equal queries of one caller share one execution. */
interface SingleFlight {
  /** Waits for the running query with the same caller, operation and variables, or starts it with `run`. */
  share(query: Query, run: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
  /** Runs a mutation. Queries that arrive during or after it do not share queries that started before it. */
  write(run: () => Promise<Answer>): Promise<Answer>;
}

/**
 * Shares queries within this process. After a mutation of this process, queries that started before it are no
 * longer shared, because callers must read their own writes.
 */
export function createSingleFlight(): SingleFlight {
  const byCaller = new WeakMap<Caller, WeakMap<object, Map<string, WorkInFlight<Answer>>>>();
  let writes = 0;

  return {
    share({ operation, variables, from }, run) {
      const queries = queriesOf(byCaller, from.caller, operation);
      const key = `${writes} ${from.hasPrivacySignal === true} ${JSON.stringify(variables)}`;
      const known = queries.get(key);
      const finish = () => void (queries.get(key) === query && queries.delete(key));
      const query = known ?? startWork((signal) => run(signal).finally(finish), finish);
      queries.set(key, query);
      return query.waitFor(from.signal);
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

function queriesOf(
  byCaller: WeakMap<Caller, WeakMap<object, Map<string, WorkInFlight<Answer>>>>,
  caller: Caller,
  operation: object,
): Map<string, WorkInFlight<Answer>> {
  const byOperation = byCaller.get(caller) ?? new WeakMap<object, Map<string, WorkInFlight<Answer>>>();
  byCaller.set(caller, byOperation);
  const queries = byOperation.get(operation) ?? new Map<string, WorkInFlight<Answer>>();
  byOperation.set(operation, queries);
  return queries;
}
