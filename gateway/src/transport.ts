import { createContext, type Request, type Services } from '@loyalty/platform/context';
import { unavailable } from '@loyalty/platform/errors';
import {
  executeSubgraph,
  type Subgraph,
  type SubgraphName,
  type SubgraphRequest,
} from '@loyalty/platform/subgraph';
import type { ExecutionResult } from 'graphql';

/** How the gateway reaches one subgraph: the same answers from a function call and from another machine. */
export interface Transport {
  /** Never rejects: a subgraph that is away, late or confused answers with an UNAVAILABLE error. */
  execute(request: SubgraphRequest, from: Request): Promise<ExecutionResult>;
  close(): Promise<void>;
}

export type Transports = Readonly<Record<SubgraphName, Transport>>;

/** Calls a subgraph of this process directly. */
export function inProcess(subgraph: Subgraph, services: Services): Transport {
  const seconds = services.metrics.subgraphSeconds;
  return {
    async execute(request, from) {
      const end = seconds.startTimer({ subgraph: subgraph.name });
      try {
        const work = executeSubgraph(subgraph, request, createContext(services, from));
        return await inTime(subgraph.name, work, services.config.SUBGRAPH_TIMEOUT_MS);
      } finally {
        end();
      }
    },
    async close() {},
  };
}

/**
 * The answer, or after `timeoutMs` an error in its place; the work itself ends by the database's own
 * time-out.
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

/** What a client sees of a subgraph that could not answer. */
export function awayResult(name: string, what: string): ExecutionResult {
  const { message, category, code, details } = unavailable(
    'SUBGRAPH_UNAVAILABLE',
    `The ${name} service ${what}. Try again.`,
  );
  return { errors: [{ message, extensions: { code: category, reason: code, ...details } } as never] };
}
