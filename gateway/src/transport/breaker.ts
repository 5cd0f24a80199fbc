import type { Services } from '@loyalty/platform/context';
import { createCircuit } from '@loyalty/platform/outbound/circuit';
import type { ExecutionResult } from 'graphql';
import { awayResult, type Transport } from './transport.ts';

/**
 * A circuit breaker for a subgraph that keeps failing.
 *
 * Only an unavailable or too slow subgraph counts as a failure. An answer with errors is a success, and a
 * call whose client disconnected is not counted. While the circuit is open, calls and starts of subscriptions
 * are answered at once with SUBGRAPH_UNAVAILABLE and the seconds to wait.
 */
export function withBreaker(
  name: string,
  transport: Transport,
  { metrics, log }: Pick<Services, 'metrics' | 'log'>,
): Transport {
  const through = createCircuit({
    isAway,
    whilePaused: (seconds) => pausedResult(name, seconds),
    onChange(state) {
      metrics.subgraphCircuit.set({ subgraph: name }, state.level);
      log.warn({ subgraph: name, circuit: state.name }, 'circuit of a subgraph changed');
    },
  });
  metrics.subgraphCircuit.set({ subgraph: name }, 0);
  return {
    prepare(operation) {
      const send = transport.prepare(operation);
      return (...call) => through(() => send(...call), call[1].signal);
    },
    subscribe: (request, from) => through(() => transport.subscribe(request, from), from.signal),
    close: () => transport.close(),
  };
}

/** Only transports return answers without data and with this reason. */
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
