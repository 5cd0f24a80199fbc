import type pg from 'pg';
import { notSent } from './cancellation.ts';
import { inOnePiece } from './pipeline.ts';
import { publishStatement } from './statements.ts';

/** Returns the connection of a transaction. */
export type TakeConnection = () => Promise<pg.PoolClient>;

interface Transaction<T> {
  /** Takes a connection from the pool. */
  readonly take: TakeConnection;
  readonly work: (connection: TakeConnection) => Promise<T>;
  /** Called at the start: returns the lock timeout; null for the default. */
  readonly lockTimeoutMs: () => number | null;
  /**
   * Called when `work` has ended: returns a function that sends the last statements at once; null if there
   * are none.
   */
  readonly last: () => LastStatements | null;
  /** After its abort, the last statements are not sent, and the transaction is rolled back. */
  readonly signal: AbortSignal | undefined;
}

type LastStatements = (client: pg.PoolClient) => Promise<unknown>;

/**
 * Runs `work` in one transaction. Its connection is taken for the first statement. `BEGIN` is sent together
 * with that statement, and the last statements together with `COMMIT`. So a transaction does not wait for its
 * own process, and a transaction without statements costs nothing.
 *
 * @throws Error if `work` continued after a failed statement; PostgreSQL rolls the transaction back
 */
export async function inTransaction<T>(transaction: Transaction<T>): Promise<T> {
  const { work, last, signal } = transaction;
  let opening: Promise<pg.PoolClient> | null = null;
  let hasEnded = false;
  const connection: TakeConnection = () => {
    if (hasEnded) return Promise.reject(new Error('The transaction of this statement has ended.'));
    opening ??= open(transaction);
    return opening;
  };
  try {
    const result = await work(connection);
    const send = last();
    const begun = send ? connection() : opening;
    hasEnded = true;
    const client = await begun;
    // `COMMIT` is sent whether or not the statements before it succeed.
    if (send && signal?.aborted) throw notSent();
    if (client) await commit(client, send);
    return result;
  } catch (error) {
    hasEnded = true;
    if (opening) await (opening as Promise<pg.PoolClient>).then(rollBack, () => undefined);
    throw error;
  }
}

async function open({
  take,
  lockTimeoutMs,
}: Pick<Transaction<unknown>, 'take' | 'lockTimeoutMs'>): Promise<pg.PoolClient> {
  publishStatement('BEGIN');
  const client = await take();
  inOnePiece(client);
  // If BEGIN fails, the following statement fails, too.
  client.query('BEGIN').catch(() => undefined);
  const timeoutMs = lockTimeoutMs();
  if (timeoutMs !== null) client.query(`SET LOCAL lock_timeout = ${timeoutMs}`).catch(() => undefined);
  return client;
}

async function commit(client: pg.PoolClient, sendLast: LastStatements | null): Promise<void> {
  inOnePiece(client);
  const [, { command }] = await Promise.all([sendLast?.(client), send(client, 'COMMIT')]);
  if (command !== 'COMMIT') throw new Error('The transaction was rolled back: one of its statements failed.');
  client.release();
}

/** Closes a connection that does not answer, which also ends its transaction. */
async function rollBack(client: pg.PoolClient): Promise<void> {
  await send(client, 'ROLLBACK').then(
    () => client.release(),
    (error: Error) => client.release(error),
  );
}

function send(client: pg.PoolClient, text: 'COMMIT' | 'ROLLBACK'): Promise<pg.QueryResult> {
  publishStatement(text);
  return client.query(text);
}
