import pg from 'pg';
import { sqlState } from './sqlstate.ts';

/**
 * Cancels the statement of a backend over another connection; resolves once the backend has received the
 * request.
 */
export type Cancel = (backendPid: number) => Promise<unknown>;

/** The callback of `pg.Pool.connect` that receives a connection. */
export type Taker = (error: Error | undefined, client?: pg.PoolClient, release?: Release) => void;

type Release = (error?: Error | boolean) => void;

/**
 * Interval for polling signals. Listeners would be faster, but every statement would have to add and remove
 * them, and most statements end long before the first poll.
 */
const POLL_INTERVAL_MS = 10;

/** Work that has a connection or waits for one. */
interface Lease {
  readonly signal: AbortSignal;
  readonly cancel: Cancel;
  readonly taker: Taker;
  /** Null while it waits. */
  client: pg.PoolClient | null;
  cancelling: Promise<void> | null;
  /** Set if it is unknown whether a cancel request is still on its way. */
  failure: Error | undefined;
}

const leases = new Set<Lease>();
let isPolling = false;

/** The state of a connection in driver and server, which the driver's types omit. */
interface Backend {
  readonly processID: number;
  /** False from the sending of a statement until the server has ended it. */
  readonly readyForQuery: boolean;
}

function cancelled(message: string, cause?: unknown): pg.DatabaseError {
  const error = new pg.DatabaseError(message, 0, 'error');
  return Object.assign(error, { severity: 'ERROR', code: sqlState('QUERY_CANCELED'), cause });
}

/** The error of a statement that was never sent; the same as if PostgreSQL had cancelled it. */
export const notSent = (): pg.DatabaseError => cancelled('statement not sent: nobody waits for its answer');

/**
 * Returns the error of a cancelled statement in the form of plain SQL, because Prisma puts the code
 * elsewhere.
 */
export function asCancelled(error: unknown): unknown {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: Record<string, unknown> } } };
  const { originalCode, originalMessage } = meta?.driverAdapterError?.cause ?? {};
  return originalCode === sqlState('QUERY_CANCELED') ? cancelled(String(originalMessage), error) : error;
}

/**
 * Takes a connection from the pool for work that `signal` can end. Within 10 ms after an abort, the wait for
 * a connection fails, or the running statement is cancelled; no further statement is sent. The connection is
 * released only after the answer to the cancel request, so that it cannot affect the next user of the
 * connection.
 *
 * @param options.manyStatements - true for a transaction; otherwise one statement is sent at once
 */
export function lease(
  connect: (taker: Taker) => void,
  options: { signal: AbortSignal; cancel: Cancel; manyStatements: boolean },
  taker: Taker,
): void {
  const { signal, cancel, manyStatements } = options;
  if (signal.aborted) {
    taker(notSent());
    return;
  }
  const lease: Lease = { signal, cancel, taker, client: null, cancelling: null, failure: undefined };
  watch(lease);
  connect((error, client) => {
    if (leases.has(lease) && signal.aborted) drop(lease);
    if (!leases.has(lease)) {
      client?.release();
      return;
    }
    if (client) bind(client, lease, manyStatements);
    else leases.delete(lease);
    taker(error, client, client?.release);
  });
}

function watch(lease: Lease): void {
  leases.add(lease);
  if (isPolling) return;
  isPolling = true;
  setTimeout(poll, POLL_INTERVAL_MS).unref();
}

function poll(): void {
  for (const lease of leases) if (lease.signal.aborted) drop(lease);
  isPolling = leases.size > 0;
  if (isPolling) setTimeout(poll, POLL_INTERVAL_MS).unref();
}

/**
 * Called at every poll while the statement runs, because a cancel request may arrive before the statement.
 */
function drop(lease: Lease): void {
  if (!lease.client) {
    leases.delete(lease);
    lease.taker(notSent());
    return;
  }
  const backend = lease.client as unknown as Backend;
  if (lease.cancelling || lease.failure || backend.readyForQuery) return;
  lease.cancelling = cancelOnce(lease, backend.processID);
}

async function cancelOnce(lease: Lease, backendPid: number): Promise<void> {
  try {
    await lease.cancel(backendPid);
  } catch (error) {
    lease.failure = error as Error;
  }
  lease.cancelling = null;
}

/** Binds a connection to the lease until it is released. */
function bind(client: pg.PoolClient, lease: Lease, manyStatements: boolean): void {
  const { release } = client;
  const unguard = manyStatements ? guard(client, lease) : null;
  lease.client = client;
  client.release = (error) => {
    leases.delete(lease);
    unguard?.();
    // The connection is closed if a cancel request could still arrive.
    if (lease.cancelling === null) release(error ?? lease.failure);
    else void lease.cancelling.then(() => release(error ?? lease.failure));
  };
}

/** Refuses statements that begin after the abort. */
function guard(client: pg.PoolClient, lease: Lease): () => void {
  const { query } = client;
  client.query = ((...args: Parameters<typeof query>) => {
    if (!lease.signal.aborted) return query.apply(client, args);
    if (!endsTransaction(args[0])) return Promise.reject(notSent());
    leases.delete(lease);
    return (lease.cancelling ?? Promise.resolve()).then(() => query.apply(client, args));
  }) as typeof query;
  return () => {
    client.query = query;
  };
}

/**
 * These statements are not refused, because otherwise the connection would return to the pool with an open
 * transaction.
 */
function endsTransaction(statement: unknown): boolean {
  const text = typeof statement === 'string' ? statement : (statement as { text?: string }).text;
  return text === 'COMMIT' || text === 'ROLLBACK';
}
