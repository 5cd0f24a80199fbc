import { retryAfterSeconds } from './loyalty-error.ts';

/** Settings for retries. */
export interface RetryOptions {
  /** Attempts per call, including the first. Default: 4. */
  readonly attempts?: number;
  /** Maximum duration of all attempts in milliseconds; then the call fails. Default: 60,000. */
  readonly totalMs?: number;
  /** First pause in milliseconds if the server does not name one; it doubles each time. Default: 250. */
  readonly pauseMs?: number;
}

type Fetch = (request: Request) => Promise<Response>;

const IDEMPOTENCY_KEY = 'idempotency-key';
const SAFE = ['GET', 'HEAD', 'OPTIONS'];
/** Statuses of too many calls and of unavailable servers: nothing was done. */
const RETRIED = [429, 502, 503, 504];

/**
 * Returns a fetch with retries. Each write carries an `Idempotency-Key` that stays the same in all attempts,
 * so that it is done only once. The pause is `Retry-After`, otherwise it doubles each time, with jitter. The
 * last answer is returned unchanged.
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
      // An unread body would keep its connection open.
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

/** Returns the pause in milliseconds; null if a retry would not help. */
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
