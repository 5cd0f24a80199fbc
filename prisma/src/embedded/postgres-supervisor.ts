import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError, reasonOf } from './postgres-error.ts';
import type { PostgresServer } from './postgres-server.ts';

/** Maximum of restarts within the window; after a further end, the server is given up. */
const RESTARTS_MAX = 5;
const WINDOW_MS = 5 * 60_000;
/**
 * Delay before the second restart within the window; it doubles each time. The first restart is immediate.
 */
const DELAY_MS = 500;

/** Callbacks for a server that ends unexpectedly. */
export interface Supervision {
  /** Called before each new start. */
  onEnded: (ending: { reason: string; restart: number; waitMs: number }) => void;
  /** Called when the server accepts connections again. */
  onBack: () => void;
  /** Called once, when the server is not started again. */
  onGivenUp: (error: EmbeddedPostgresError) => void;
}

/**
 * Restarts the server when it ends unexpectedly: first at once, then with growing delays, at most 5 times in
 * 5 minutes. A failed start counts like a server that ended.
 *
 * @param start - starts the server on the same port; stops trying when its signal aborts
 * @returns a function that ends the server, also during a restart; it can be called twice
 */
export function supervise(
  first: PostgresServer,
  start: (signal: AbortSignal) => Promise<PostgresServer>,
  { onEnded, onBack, onGivenUp }: Supervision,
): () => Promise<void> {
  const stopping = new AbortController();
  let current = first;
  let restarts: number[] = [];

  /** @returns the reason for a failed start; null if the server runs */
  async function startAgain(reason: string): Promise<string | null> {
    restarts.push(Date.now());
    const restart = restarts.length;
    const waitMs = restart === 1 ? 0 : DELAY_MS * 2 ** (restart - 2);
    onEnded({ reason, restart, waitMs });
    try {
      await delay(waitMs, undefined, { signal: stopping.signal });
      current = await start(stopping.signal);
      onBack();
      return null;
    } catch (error) {
      return reasonOf(error);
    }
  }

  async function keep(): Promise<void> {
    let reason = await first.ended;
    while (!stopping.signal.aborted) {
      restarts = restarts.filter((at) => at > Date.now() - WINDOW_MS);
      if (restarts.length === RESTARTS_MAX) return onGivenUp(givenUp(reason));
      const failure = await startAgain(reason);
      if (stopping.signal.aborted) return;
      reason = failure ?? (await current.ended);
    }
  }

  const kept = keep();
  return async () => {
    stopping.abort();
    await current.stop();
    await kept;
    // The server may have been started meanwhile.
    await current.stop();
  };
}

const givenUp = (reason: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    `PostgreSQL ended ${RESTARTS_MAX + 1} times within ${WINDOW_MS / 60_000} minutes ` +
      `(${reason.replace(/\.$/, '')}); remove that cause and start again, ` +
      'or set DATABASE_URL to another database.',
  );
