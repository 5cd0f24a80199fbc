import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError, reasonOf } from './postgres-error.ts';
import type { PostgresServer } from './postgres-server.ts';

/** Restarts at most within the window; a server that ends once more is given up. */
const RESTARTS_MAX = 5;
const WINDOW_MS = 5 * 60_000;
/** Before the second restart within the window; it doubles with each one more. The first is at once. */
const DELAY_MS = 500;

/** What is reported of a server that ended by itself. */
export interface Supervision {
  /** Called before each new start. */
  onEnded: (ending: { reason: string; restart: number; waitMs: number }) => void;
  /** Called when the server accepts connections again. */
  onBack: () => void;
  /** Called once, when the server is not started again. */
  onGivenUp: (error: EmbeddedPostgresError) => void;
}

/**
 * Starts the server again whenever it ends by itself: at once, then with growing delays, at most 5 times in 5
 * minutes. A start that fails counts like a server that ended.
 *
 * @param start - starts it on the same port; gives up when its signal aborts
 * @returns ends the server, also while it is being started again; may be called twice
 */
export function supervise(
  first: PostgresServer,
  start: (signal: AbortSignal) => Promise<PostgresServer>,
  { onEnded, onBack, onGivenUp }: Supervision,
): () => Promise<void> {
  const stopping = new AbortController();
  let current = first;
  let restarts: number[] = [];

  /** @returns why it did not start; null when it runs */
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
    // It may have been started meanwhile.
    await current.stop();
  };
}

const givenUp = (reason: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    `PostgreSQL ended ${RESTARTS_MAX + 1} times within ${WINDOW_MS / 60_000} minutes ` +
      `(${reason.replace(/\.$/, '')}); remove that cause and start again, ` +
      'or set DATABASE_URL to another database.',
  );
