import type { Caller } from '@loyalty/platform/caller/caller';
import type { Request } from '@loyalty/platform/context';
import type { Variables } from '../../transport/transport.ts';
import type { Answer } from './answer.ts';
import type { CompiledOperation } from './compiled-operation.ts';

/** What a query is recognised by, and the client that waits for it. */
interface Query {
  readonly operation: CompiledOperation;
  readonly variables: Variables;
  readonly from: Request;
}

/** One execution that several clients may wait for. */
interface SharedQuery {
  readonly answer: Promise<Answer>;
  readonly controller: AbortController;
  /** Clients that still wait. */
  waiting: number;
}

/** Queries in flight: equal queries of one caller share one execution. */
interface SingleFlight {
  /** Waits for the running query of the same caller, operation and variables, or starts it with `run`. */
  share(query: Query, run: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
  /** Runs a mutation. Queries that come during or after it share no query that started before it. */
  write(run: () => Promise<Answer>): Promise<Answer>;
}

/**
 * Shares queries within this process. After a mutation of this process no query that started before it is
 * shared any more: callers must read what they wrote.
 */
export function createSingleFlight(): SingleFlight {
  const byCaller = new WeakMap<Caller, WeakMap<CompiledOperation, Map<string, SharedQuery>>>();
  let writes = 0;

  return {
    share({ operation, variables, from }, run) {
      const queries = queriesOf(byCaller, from.caller, operation);
      const key = `${writes} ${JSON.stringify(variables)}`;
      const known = queries.get(key);
      const finish = () => queries.get(key) === query && queries.delete(key);
      const query = known ?? start(run, () => finish());
      queries.set(key, query);
      return waitFor(query, from.signal, finish);
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
  byCaller: WeakMap<Caller, WeakMap<CompiledOperation, Map<string, SharedQuery>>>,
  caller: Caller,
  operation: CompiledOperation,
): Map<string, SharedQuery> {
  const byOperation = byCaller.get(caller) ?? new WeakMap<CompiledOperation, Map<string, SharedQuery>>();
  byCaller.set(caller, byOperation);
  const queries = byOperation.get(operation) ?? new Map<string, SharedQuery>();
  byOperation.set(operation, queries);
  return queries;
}

function start(run: (signal: AbortSignal) => Promise<Answer>, finish: () => void): SharedQuery {
  const controller = new AbortController();
  return { answer: run(controller.signal).finally(finish), controller, waiting: 0 };
}

/** The query is cancelled when the last client that waits for it has gone. */
async function waitFor(
  query: SharedQuery,
  signal: AbortSignal | undefined,
  finish: () => void,
): Promise<Answer> {
  query.waiting += 1;
  const leave = () => {
    query.waiting -= 1;
    if (query.waiting > 0) return;
    finish();
    query.controller.abort();
  };
  if (signal?.aborted) leave();
  signal?.addEventListener('abort', leave, { once: true });
  try {
    return await query.answer;
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}
