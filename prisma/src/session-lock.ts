import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const POLL_MS = 100;

/** A lock across all processes on the database; it ends with its process. */
export interface SessionLock {
  /** Aborted when the connection with the lock ends: then another process may take the lock. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/**
 * Takes a lock on a separate connection, as soon as no other process has it.
 *
 * @param key - a number that is used for nothing else
 * @param onWait - called once if another process has the lock
 */
export async function takeSessionLock(
  databaseUrl: string,
  key: number,
  onWait: () => void,
): Promise<SessionLock> {
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  try {
    await client.connect();
    await waitForLock(client, key, onWait);
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
  return { lost: lost.signal, release: () => client.end().catch(() => {}) };
}

/** Polls for the lock, because a waiting statement would block another's CREATE INDEX CONCURRENTLY. */
export async function waitForLock(client: pg.Client, key: number, onWait: () => void): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await client.query<{ is_ours: boolean }>('SELECT pg_try_advisory_lock($1) AS is_ours', [
      key,
    ]);
    if (rows[0]?.is_ours) return;
    if (attempt === 0) onWait();
    await delay(POLL_MS);
  }
}
