import type { Request, Services } from '@loyalty/platform/context';
import {
  BrokenCircuitError,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
} from 'cockatiel';
import type { ExecutionResult } from 'graphql';
import { awayResult, type Transport } from './transport.ts';

/** More than half of the last 20 calls since a first failure, once there were five. */
const WINDOW = { threshold: 0.5, size: 20, minimumNumberOfCalls: 5 };
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 30_000;

/** The states that occur: what the log calls them, and what the metric shows. */
const STATES: Partial<Record<CircuitState, { name: string; level: number }>> = {
  [CircuitState.Closed]: { name: 'closed', level: 0 },
  [CircuitState.HalfOpen]: { name: 'half open', level: 1 },
  [CircuitState.Open]: { name: 'open', level: 2 },
};

/** Thrown past the circuit by calls that it must not count. */
const UNCOUNTED = new Error('This call tells nothing about the subgraph.');

/**
 * Spares a subgraph that keeps failing, and its callers the wait: after more failures than successes it is
 * left alone for 1 s, then one call tries it. If that fails, too, it rests twice as long, up to 30 s.
 *
 * Failures are those of the way there: away, or not in time. An answer with errors is an answer, and a call
 * whose client left tells nothing. Meanwhile calls, and starts of subscriptions, are answered at once with
 * SUBGRAPH_UNAVAILABLE and the seconds to wait.
 */
export function withBreaker(
  name: string,
  transport: Transport,
  services: Pick<Services, 'metrics' | 'log'>,
): Transport {
  const gate = createGate(name, services);
  return {
    prepare(operation) {
      const send = transport.prepare(operation);
      return (...call) => gate(() => send(...call), call[1]);
    },
    subscribe: (request, from) => gate(() => transport.subscribe(request, from), from),
    close: () => transport.close(),
  };
}

type Gate = <Answer>(call: () => Promise<Answer>, from: Request) => Promise<Answer | ExecutionResult>;

function createGate(name: string, { metrics, log }: Pick<Services, 'metrics' | 'log'>): Gate {
  let restsUntil = 0;
  let changes = 0;
  const circuit = createCircuit((restMs) => {
    restsUntil = Date.now() + restMs;
  });
  metrics.subgraphCircuit.set({ subgraph: name }, 0);
  circuit.onStateChange((state) => {
    changes += 1;
    const { name: circuitState, level } = STATES[state]!;
    metrics.subgraphCircuit.set({ subgraph: name }, level);
    log.warn({ subgraph: name, circuit: circuitState }, 'circuit of a subgraph changed');
  });

  /** Calls that are still weighed since a failure: while all goes well there is nothing to weigh. */
  let weighed = 0;
  const direct = async <Answer>(call: () => Promise<Answer>, from: Request): Promise<Answer> => {
    const begun = changes;
    const answer = await call();
    if (!isAway(answer) || from.signal?.aborted || begun !== changes) return answer;
    weighed = WINDOW.size;
    return circuit.execute(async () => answer);
  };

  return async (call, from) => {
    if (circuit.state === CircuitState.Closed && weighed === 0) return direct(call, from);
    if (circuit.state === CircuitState.Closed) weighed -= 1;
    // Cockatiel would let everybody wait for the call that tries the subgraph.
    if (circuit.state === CircuitState.HalfOpen) return restingResult(name, 1);
    let answer: Awaited<ReturnType<typeof call>> | undefined;
    try {
      return await circuit.execute(async () => {
        const begun = changes;
        const isTrial = circuit.state === CircuitState.HalfOpen;
        answer = await call();
        // A client that left while the subgraph was tried proves nothing: it rests on.
        const isLeft = from.signal?.aborted && !isTrial;
        if (isAway(answer) && (isLeft || begun !== changes)) throw UNCOUNTED;
        return answer;
      });
    } catch (error) {
      if (error === UNCOUNTED && answer) return answer;
      if (!(error instanceof BrokenCircuitError)) throw error;
      return restingResult(name, Math.max(1, Math.ceil((restsUntil - Date.now()) / 1_000)));
    }
  };
}

const createCircuit = (onRest: (restMs: number) => void) =>
  circuitBreaker(handleWhen((error) => error !== UNCOUNTED).orWhenResult(isAway), {
    breaker: new CountBreaker(WINDOW),
    halfOpenAfter: new DelegateBackoff(({ attempt }) => {
      const restMs = Math.min(FIRST_REST_MS * 2 ** (attempt - 1), LONGEST_REST_MS);
      onRest(restMs);
      return restMs;
    }),
  });

/** Only transports answer so: without data, and for this reason. */
function isAway(answer: unknown): boolean {
  const { data, errors } = answer as ExecutionResult;
  return data === undefined && errors?.[0]?.extensions?.['reason'] === 'SUBGRAPH_UNAVAILABLE';
}

function restingResult(name: string, seconds: number): ExecutionResult {
  const [error] = awayResult(name, 'is away').errors ?? [];
  const message = `The ${name} service is away. Try again in ${seconds} s.`;
  const extensions = { ...error?.extensions, retryAfterSeconds: seconds };
  return { errors: [{ message, extensions } as never] };
}
