import { retryAfterSeconds } from './loyalty-error.ts';

/** How calls are repeated. */
export interface RetryOptions {
  /** Attempts of one call, the first among them. Default: 4. */
  readonly attempts?: number;
  /** How long all attempts may take together, in milliseconds; then the call fails. Default: 60,000. */
  readonly totalMs?: number;
  /** The first pause, in milliseconds, where the server names none; it doubles each time. Default: 250. */
  readonly pauseMs?: number;
}

type Fetch = (request: Request) => Promise<Response>;

const IDEMPOTENCY_KEY = 'idempotency-key';
const SAFE = ['GET', 'HEAD', 'OPTIONS'];
/** Too many calls, and servers that are away: nothing was done. */
const RETRIED = [429, 502, 503, 504];

/**
 * A fetch that repeats what may be repeated: every write carries an `Idempotency-Key`, the same in each
 * attempt, so that it is done once. It waits as long as `Retry-After` says, else twice as long each time,
 * with jitter; the last answer is returned as it is.
 */
export function retryingFetch(send: Fetch, options: RetryOptions = {}): Fetch {
  const { attempts = 4, totalMs = 60_000, pauseMs = 250 } = options;
  return async (request) => {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(totalMs)]);
    const sent = withKey(request);
    const until = Date.now() + totalMs;
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await attemptOf(send, new Request(sent.clone(), { signal }));
      const wait = attempt < attempts ? pauseAfter(outcome, pauseMs * 2 ** (attempt - 1)) : null;
      if (wait === null || Date.now() + wait > until) return resultOf(outcome);
      // A body that nobody reads keeps its connection.
      if ('response' in outcome) outcome.response.body?.cancel().catch(() => undefined);
      await pause(wait, signal);
    }
  };
}

function withKey(request: Request): Request {
  if (SAFE.includes(request.method) || request.headers.has(IDEMPOTENCY_KEY)) return request;
  const headers = new Headers(request.headers);
  headers.set(IDEMPOTENCY_KEY, crypto.randomUUID());
  return new Request(request, { headers });
}

type Outcome = { readonly response: Response } | { readonly failure: unknown };

async function attemptOf(send: Fetch, request: Request): Promise<Outcome> {
  try {
    return { response: await send(request) };
  } catch (failure) {
    if (request.signal.aborted) throw failure;
    return { failure };
  }
}

function resultOf(outcome: Outcome): Response {
  if ('failure' in outcome) throw outcome.failure;
  return outcome.response;
}

/** Milliseconds; null where another attempt would not help. */
function pauseAfter(outcome: Outcome, pauseMs: number): number | null {
  const own = pauseMs / 2 + Math.random() * (pauseMs / 2);
  if ('failure' in outcome) return own;
  const { status, headers } = outcome.response;
  const named = retryAfterSeconds(headers);
  const isRetried = RETRIED.includes(status) || (status === 409 && named !== null);
  if (!isRetried) return null;
  return named === null ? own : named * 1_000 + Math.random() * 100;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
