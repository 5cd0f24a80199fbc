import type pg from 'pg';
import { notSent } from './cancellation.ts';
import { inOnePiece } from './pipeline.ts';
import { publishStatement } from './statements.ts';

/** How a transaction gets at its connection. */
export type TakeConnection = () => Promise<pg.PoolClient>;

interface Transaction<T> {
  /** Takes a connection from the pool. */
  readonly take: TakeConnection;
  readonly work: (connection: TakeConnection) => Promise<T>;
  /** Asked when it begins: how long it may wait for a lock; null: as long as others. */
  readonly lockTimeoutMs: () => number | null;
  /** Asked when `work` has ended: what sends the last statements, at once; null: there are none. */
  readonly last: () => LastStatements | null;
  /** Once it is aborted, the last statements are not sent, and the transaction is rolled back. */
  readonly signal: AbortSignal | undefined;
}

type LastStatements = (client: pg.PoolClient) => Promise<unknown>;

/**
 * Runs `work` in one transaction. Its connection is taken for the first statement, and `BEGIN` travels with
 * that statement, the last ones with `COMMIT`: a transaction does not wait for its own process, and one
 * without statements costs nothing.
 *
 * @throws Error where `work` went on after a statement had failed, which PostgreSQL rolls back
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
    // `COMMIT` is sent whatever becomes of the statements before it.
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
  // Where it fails, so does the statement that follows.
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

/** A connection that does not answer is closed, which ends its transaction, too. */
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
