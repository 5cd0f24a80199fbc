import pg from 'pg';
import { sqlState } from './sqlstate.ts';

/** Has another connection cancel what a backend runs; answered once the backend has the request. */
export type Cancel = (backendPid: number) => Promise<unknown>;

/** How `pg.Pool.connect` hands a connection out. */
export type Taker = (error: Error | undefined, client?: pg.PoolClient, release?: Release) => void;

type Release = (error?: Error | boolean) => void;

/**
 * How often signals are polled. Listeners would be faster, but every statement would have to add and remove
 * them, and most have ended long before the first poll.
 */
const POLL_INTERVAL_MS = 10;

/** Work that waits for a connection, or has one. */
interface Lease {
  readonly signal: AbortSignal;
  readonly cancel: Cancel;
  readonly taker: Taker;
  /** Null while it waits. */
  client: pg.PoolClient | null;
  cancelling: Promise<void> | null;
  /** Why nobody knows whether a cancel is still on its way. */
  failure: Error | undefined;
}

const leases = new Set<Lease>();
let isPolling = false;

/** What driver and server know of a connection; the driver's types leave it out. */
interface Backend {
  readonly processID: number;
  /** False from when a statement is sent until the server has ended it. */
  readonly readyForQuery: boolean;
}

function cancelled(message: string, cause?: unknown): pg.DatabaseError {
  const error = new pg.DatabaseError(message, 0, 'error');
  return Object.assign(error, { severity: 'ERROR', code: sqlState('QUERY_CANCELED'), cause });
}

/** What a statement fails with that was never sent: as if PostgreSQL had cancelled it. */
export const notSent = (): pg.DatabaseError => cancelled('statement not sent: nobody waits for its answer');

/** A cancelled statement's error as SQL by hand has it; Prisma puts the code where callers do not look. */
export function asCancelled(error: unknown): unknown {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: Record<string, unknown> } } };
  const { originalCode, originalMessage } = meta?.driverAdapterError?.cause ?? {};
  return originalCode === sqlState('QUERY_CANCELED') ? cancelled(String(originalMessage), error) : error;
}

/**
 * Takes a connection out of the pool for work that `signal` ends. Within 10 ms of its abort the wait for a
 * connection has failed, or the running statement is being cancelled; nothing is sent from then on. The
 * connection is given back only after the cancel was answered, so that it cannot hit the next owner.
 *
 * @param options.manyStatements - for a transaction; otherwise it is for one statement, sent at once
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

/** Called at every poll while the statement runs: a cancel may reach the server before its statement does. */
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

/** Ties a connection to the lease until it is released. */
function bind(client: pg.PoolClient, lease: Lease, manyStatements: boolean): void {
  const { release } = client;
  const unguard = manyStatements ? guard(client, lease) : null;
  lease.client = client;
  client.release = (error) => {
    leases.delete(lease);
    unguard?.();
    // Where a cancel could still come, the connection is closed.
    if (lease.cancelling === null) release(error ?? lease.failure);
    else void lease.cancelling.then(() => release(error ?? lease.failure));
  };
}

/** Keeps statements back that begin after the abort. */
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

/** Were these refused, too, the connection would go back to the pool with its transaction open. */
function endsTransaction(statement: unknown): boolean {
  const text = typeof statement === 'string' ? statement : (statement as { text?: string }).text;
  return text === 'COMMIT' || text === 'ROLLBACK';
}
