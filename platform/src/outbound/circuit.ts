import {
  BrokenCircuitError,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
} from 'cockatiel';

/** Opens if more than half of the last 20 calls since a first failure failed, with at least five calls. */
const WINDOW = { threshold: 0.5, size: 20, minimumNumberOfCalls: 5 };
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** A state of a circuit breaker: its name in the log and its value in metrics. */
interface NamedState {
  readonly name: 'closed' | 'half open' | 'open';
  readonly level: 0 | 1 | 2;
}

const STATES: Partial<Record<CircuitState, NamedState>> = {
  [CircuitState.Closed]: { name: 'closed', level: 0 },
  [CircuitState.HalfOpen]: { name: 'half open', level: 1 },
  [CircuitState.Open]: { name: 'open', level: 2 },
};

interface CircuitOptions<Paused> {
  /** Returns whether an answer means that the service is unavailable or too slow. */
  readonly isAway: (answer: unknown) => boolean;
  /** Makes the answer for a call that is not sent, from the seconds to wait. */
  readonly whilePaused: (seconds: number) => Paused;
  readonly onChange: (state: NamedState) => void;
}

/** Sends a call, or answers it at once if the circuit is open. */
export type Circuit<Paused> = <Answer>(
  call: () => Promise<Answer>,
  signal: AbortSignal | undefined,
) => Promise<Answer | Paused>;

/** Thrown for calls that the circuit must not count. */
const UNCOUNTED = new Error('This call does not count for the circuit.');

/**
 * Creates a circuit breaker. If more calls fail than succeed, no call is sent for 1 s; then one trial call is
 * sent. If it fails, the pause doubles, up to 30 s. A call whose `signal` aborted is not counted.
 */
export function createCircuit<Paused>(options: CircuitOptions<Paused>): Circuit<Paused> {
  const { isAway, whilePaused, onChange } = options;
  let pausedUntil = 0;
  let changes = 0;
  const circuit = breaker(isAway, (pauseMs) => {
    pausedUntil = Date.now() + pauseMs;
  });
  circuit.onStateChange((state) => {
    changes += 1;
    onChange(STATES[state]!);
  });

  /** Calls that are still counted after a failure. At 0, calls bypass the circuit. */
  let counted = 0;
  const direct = async <Answer>(call: () => Promise<Answer>, signal: AbortSignal | undefined) => {
    const begun = changes;
    const answer = await call();
    if (!isAway(answer) || signal?.aborted || begun !== changes) return answer;
    counted = WINDOW.size;
    return circuit.execute(async () => answer);
  };

  return async (call, signal) => {
    if (circuit.state === CircuitState.Closed && counted === 0) return direct(call, signal);
    if (circuit.state === CircuitState.Closed) counted -= 1;
    // Cockatiel would make all calls wait for the trial call.
    if (circuit.state === CircuitState.HalfOpen) return whilePaused(1);
    let answer: Awaited<ReturnType<typeof call>> | undefined;
    try {
      return await circuit.execute(async () => {
        const begun = changes;
        const isTrial = circuit.state === CircuitState.HalfOpen;
        answer = await call();
        // If the client of the trial call disconnects, the trial proves nothing, so the pause continues.
        const isLeft = signal?.aborted && !isTrial;
        if (isAway(answer) && (isLeft || begun !== changes)) throw UNCOUNTED;
        return answer;
      });
    } catch (error) {
      if (error === UNCOUNTED && answer) return answer;
      if (!(error instanceof BrokenCircuitError)) throw error;
      return whilePaused(Math.max(1, Math.ceil((pausedUntil - Date.now()) / 1_000)));
    }
  };
}

const breaker = (isAway: (answer: unknown) => boolean, onPause: (pauseMs: number) => void) =>
  circuitBreaker(handleWhen((error) => error !== UNCOUNTED).orWhenResult(isAway), {
    breaker: new CountBreaker(WINDOW),
    halfOpenAfter: new DelegateBackoff(({ attempt }) => {
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
      onPause(pauseMs);
      return pauseMs;
    }),
  });
