import { unavailable } from '@loyalty/platform/base/errors';
import type { Request, Services } from '@loyalty/platform/context';
import { createContext, deadlineIn } from '@loyalty/platform/database/create-context';
import {
  executeSubgraph,
  type Subgraph,
  type SubgraphRequest,
  subscribeSubgraph,
} from '@loyalty/platform/graph/subgraph';
import { childSpan } from '@loyalty/platform/observe/spans';
import { FILE_TIMEOUT_FACTOR } from '@loyalty/platform/outbound/http-post';
import type { ExecutionResult } from 'graphql';

export type Variables = Readonly<Record<string, unknown>>;

/** The representations of the entities of a fetch. */
export interface Representations {
  readonly list: readonly Readonly<Record<string, unknown>>[];
  /** The same representations, each as JSON text. */
  readonly keys: readonly string[];
}

/**
 * Sends one prepared operation. Never rejects: if a subgraph is unavailable, late or returns no valid answer,
 * the result is an UNAVAILABLE error. Stops the work when `from.signal` aborts.
 */
export type Send = (
  variables: Variables,
  from: Request,
  representations?: Representations,
) => Promise<ExecutionResult>;

export type Results = AsyncIterableIterator<ExecutionResult, undefined>;

/** A connection to one subgraph, in this process or over HTTP; the answers are the same. */
export interface Transport {
  /** Prepares one operation for many calls. */
  prepare(operation: Pick<SubgraphRequest, 'query' | 'operationName'>): Send;
  /**
   * Starts a subscription. Returns its results, which end by `return()` or `from.signal`, or the reason if
   * there are none.
   */
  subscribe(request: SubgraphRequest, from: Request): Promise<Results | ExecutionResult>;
  close(): Promise<void>;
}

/** Transports by subgraph name. */
export type Transports<Name extends string = string> = Readonly<Record<Name, Transport>>;

/** Calls a subgraph of this process directly. */
export function inProcess(subgraph: Subgraph, services: Services): Transport {
  const { metrics, config } = services;
  const observe = timed(metrics, subgraph.name);
  return {
    prepare: (operation) =>
      observe((given, from, representations) => {
        const variables = representations ? { ...given, representations: representations.list } : given;
        const timeoutMs = (from.bringsFile ? FILE_TIMEOUT_FACTOR : 1) * config.SUBGRAPH_TIMEOUT_MS;
        const ctx = createContext(services, { ...from, deadlineAt: deadlineIn(timeoutMs) });
        const work = executeSubgraph(subgraph, { ...operation, variables }, ctx);
        return inTime(subgraph.name, work, timeoutMs);
      }),
    subscribe: (request, from) => subscribeSubgraph(subgraph, request, createContext(services, from)),
    async close() {},
  };
}

/** Adds the duration of every call of a subgraph to the metrics, and a span to the trace. */
export function timed(
  metrics: Pick<Services['metrics'], 'subgraphSeconds'>,
  subgraph: string,
  kind: 'CLIENT' | 'INTERNAL' = 'INTERNAL',
): (send: Send) => Send {
  const seconds = {
    ok: metrics.subgraphSeconds.labels({ subgraph, outcome: 'ok' }),
    error: metrics.subgraphSeconds.labels({ subgraph, outcome: 'error' }),
  };
  const name = `subgraph ${subgraph}`;
  const options = { kind, attributes: { 'service.peer.name': subgraph } };
  return (send) =>
    async (...call) => {
      const startedAt = performance.now();
      const result = await childSpan(name, options, () => send(...call));
      seconds[result.errors ? 'error' : 'ok'].observe((performance.now() - startedAt) / 1_000);
      return result;
    };
}

/**
 * Returns the answer, or an error after `timeoutMs`. The work itself ends by its deadline and by the
 * statement timeout of the database.
 */
async function inTime(
  name: string,
  work: Promise<ExecutionResult>,
  timeoutMs: number,
): Promise<ExecutionResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<ExecutionResult>((resolve) => {
    timer = setTimeout(() => resolve(awayResult(name, 'did not answer in time')), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const MEBIBYTE = 1024 * 1024;

/**
 * The result for an answer that was cut off. The subgraph works, so this is no failure for the circuit
 * breaker.
 */
export function tooLargeResult(name: string, bytesMax: number): ExecutionResult {
  const size = `${Math.round((bytesMax / MEBIBYTE) * 100) / 100} MiB`;
  const message = `The ${name} service answered with more than ${size}. Ask for less at once.`;
  const extensions = { code: 'INTERNAL_SERVER_ERROR', reason: 'SUBGRAPH_ANSWER_TOO_LARGE' };
  return { errors: [{ message, extensions } as never] };
}

/** The result for a subgraph that could not answer. */
export function awayResult(name: string, what: string): ExecutionResult {
  const { message, category, code, details } = unavailable(
    'SUBGRAPH_UNAVAILABLE',
    `The ${name} service ${what}. Try again.`,
  );
  return { errors: [{ message, extensions: { code: category, reason: code, ...details } } as never] };
}
