import type pg from 'pg';
import { publishStatement } from './statements.ts';

/** What the driver has of a connection's socket; its types leave it out. */
interface Corkable {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

/** How a transaction gets at its connection. */
export type TakeConnection = () => Promise<pg.PoolClient>;

/**
 * Runs `work` in one transaction. Its connection is taken for the first statement, and `BEGIN` travels with
 * that statement: a transaction never waits for its own process, and one without statements costs nothing.
 *
 * @param take - takes a connection from the pool
 * @throws Error where `work` went on after a statement had failed, which PostgreSQL rolls back
 */
export async function inTransaction<T>(
  take: TakeConnection,
  work: (connection: TakeConnection) => Promise<T>,
): Promise<T> {
  let opening: Promise<pg.PoolClient> | null = null;
  let hasEnded = false;
  const connection: TakeConnection = () => {
    if (hasEnded) return Promise.reject(new Error('The transaction of this statement has ended.'));
    opening ??= open(take);
    return opening;
  };
  try {
    const result = await work(connection);
    hasEnded = true;
    if (opening) await commit(await opening);
    return result;
  } catch (error) {
    hasEnded = true;
    if (opening) await (opening as Promise<pg.PoolClient>).then(rollBack, () => undefined);
    throw error;
  }
}

/** What is sent until the end of this tick goes with `BEGIN`, in one piece. */
async function open(take: TakeConnection): Promise<pg.PoolClient> {
  publishStatement('BEGIN');
  const client = await take();
  const { stream } = (client as unknown as Corkable).connection;
  stream.cork();
  // Where it fails, so does the statement that follows.
  client.query('BEGIN').catch(() => undefined);
  process.nextTick(() => stream.uncork());
  return client;
}

async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await send(client, 'COMMIT');
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
