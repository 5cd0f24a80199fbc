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

/** More than half of the last 20 calls since a first failure, with at least five calls. */
const WINDOW = { threshold: 0.5, size: 20, minimumNumberOfCalls: 5 };
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** The states of a circuit, with their names in the log and their levels in the metric. */
const STATES: Partial<Record<CircuitState, { name: string; level: number }>> = {
  [CircuitState.Closed]: { name: 'closed', level: 0 },
  [CircuitState.HalfOpen]: { name: 'half open', level: 1 },
  [CircuitState.Open]: { name: 'open', level: 2 },
};

/** Thrown past the circuit by calls that it must not count. */
const UNCOUNTED = new Error('This call does not count for the circuit.');

/**
 * A circuit breaker for a subgraph that keeps failing. After more failures than successes no call is sent for
 * 1 s, then one trial call. If that fails, too, the pause doubles, up to 30 s.
 *
 * Only a subgraph that is away or too late fails. An answer with errors is a success, and a call whose client
 * left does not count. While the circuit is open, calls and starts of subscriptions are answered at once with
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
  let pausedUntil = 0;
  let changes = 0;
  const circuit = createCircuit((pauseMs) => {
    pausedUntil = Date.now() + pauseMs;
  });
  metrics.subgraphCircuit.set({ subgraph: name }, 0);
  circuit.onStateChange((state) => {
    changes += 1;
    const { name: circuitState, level } = STATES[state]!;
    metrics.subgraphCircuit.set({ subgraph: name }, level);
    log.warn({ subgraph: name, circuit: circuitState }, 'circuit of a subgraph changed');
  });

  /** Calls that still count since a failure; without a failure calls skip the circuit. */
  let counted = 0;
  const direct = async <Answer>(call: () => Promise<Answer>, from: Request): Promise<Answer> => {
    const begun = changes;
    const answer = await call();
    if (!isAway(answer) || from.signal?.aborted || begun !== changes) return answer;
    counted = WINDOW.size;
    return circuit.execute(async () => answer);
  };

  return async (call, from) => {
    if (circuit.state === CircuitState.Closed && counted === 0) return direct(call, from);
    if (circuit.state === CircuitState.Closed) counted -= 1;
    // Cockatiel would let all calls wait for the trial call.
    if (circuit.state === CircuitState.HalfOpen) return pausedResult(name, 1);
    let answer: Awaited<ReturnType<typeof call>> | undefined;
    try {
      return await circuit.execute(async () => {
        const begun = changes;
        const isTrial = circuit.state === CircuitState.HalfOpen;
        answer = await call();
        // A client that left during the trial proves nothing: the pause goes on.
        const isLeft = from.signal?.aborted && !isTrial;
        if (isAway(answer) && (isLeft || begun !== changes)) throw UNCOUNTED;
        return answer;
      });
    } catch (error) {
      if (error === UNCOUNTED && answer) return answer;
      if (!(error instanceof BrokenCircuitError)) throw error;
      return pausedResult(name, Math.max(1, Math.ceil((pausedUntil - Date.now()) / 1_000)));
    }
  };
}

const createCircuit = (onPause: (pauseMs: number) => void) =>
  circuitBreaker(handleWhen((error) => error !== UNCOUNTED).orWhenResult(isAway), {
    breaker: new CountBreaker(WINDOW),
    halfOpenAfter: new DelegateBackoff(({ attempt }) => {
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
      onPause(pauseMs);
      return pauseMs;
    }),
  });

/** Only transports answer without data and with this reason. */
function isAway(answer: unknown): boolean {
  const { data, errors } = answer as ExecutionResult;
  return data === undefined && errors?.[0]?.extensions?.['reason'] === 'SUBGRAPH_UNAVAILABLE';
}

function pausedResult(name: string, seconds: number): ExecutionResult {
  const [error] = awayResult(name, 'is away').errors ?? [];
  const message = `The ${name} service is away. Try again in ${seconds} s.`;
  const extensions = { ...error?.extensions, retryAfterSeconds: seconds };
  return { errors: [{ message, extensions } as never] };
}
