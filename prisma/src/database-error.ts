import { type SqlStateName, sqlState } from './sqlstate.ts';

/**
 * The reason for which a valid statement could not be run:
 * `AWAY`: the database cannot be reached, or cannot work;
 * `LOCKED`: its rows were locked for too long, or a deadlock was resolved; it was rolled back;
 * `OVERLOADED`: no connection became free in time;
 * `TOO_SLOW`: it was cancelled, mostly because it took too long.
 */
export type DatabaseFault = 'AWAY' | 'LOCKED' | 'OVERLOADED' | 'TOO_SLOW';

/** SQLSTATE classes for connection failures, and for a server without memory or disk space. */
const AWAY_CLASSES = ['08', '53'];

const states = (...names: readonly SqlStateName[]): readonly string[] => names.map(sqlState);

/** Codes of PostgreSQL, the system and Prisma that are temporary: the same call may succeed later. */
const codes: Readonly<Record<DatabaseFault, readonly string[]>> = {
  AWAY: [
    // A standby server.
    ...states('READ_ONLY_SQL_TRANSACTION'),
    // The server stops, starts, or ends the session.
    ...states('ADMIN_SHUTDOWN', 'CRASH_SHUTDOWN', 'CANNOT_CONNECT_NOW', 'IDLE_SESSION_TIMEOUT'),
    ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
    ...['ENOTFOUND', 'EAI_AGAIN'],
    // Unreachable, timed out, or closed.
    ...['P1001', 'P1002', 'P1008', 'P1017'],
    // Errors of Prisma's driver adapter that the client has not translated.
    ...['DatabaseNotReachable', 'SocketTimeout', 'ConnectionClosed'],
  ],
  LOCKED: [
    ...states('LOCK_NOT_AVAILABLE', 'SERIALIZATION_FAILURE', 'DEADLOCK_DETECTED'),
    // A write conflict or a deadlock.
    'P2034',
  ],
  OVERLOADED: [
    // The server has no free connection, or this process left its transaction idle for too long.
    ...states('TOO_MANY_CONNECTIONS', 'IDLE_IN_TRANSACTION_SESSION_TIMEOUT', 'TRANSACTION_TIMEOUT'),
    // No connection or transaction in time.
    ...['P2024', 'P2028', 'P2037', 'TooManyConnections'],
  ],
  TOO_SLOW: states('QUERY_CANCELED'),
};

/** The driver has no codes for failures of connections. */
const messages: readonly (readonly [start: string, fault: DatabaseFault])[] = [
  // All connections of the pool are in use. An unanswered new connection has another message.
  ['timeout exceeded when trying to connect', 'OVERLOADED'],
  ['Connection terminated', 'AWAY'],
  ['Client has encountered a connection error', 'AWAY'],
  ['Client was closed and is not queryable', 'AWAY'],
  ['Cannot use a pool after calling end', 'AWAY'],
];

const faultByCode = new Map(
  Object.entries(codes).flatMap(([fault, those]) => those.map((code) => [code, fault as DatabaseFault])),
);

/** Properties of errors of PostgreSQL, its driver and Prisma. */
interface Inspected {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly kind?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
  /** graphql-js wraps errors of another realm in this property. */
  readonly thrownValue?: unknown;
}

/**
 * Returns the fault of the database; null if the statement itself is wrong. If the fault of a COMMIT is AWAY,
 * it is unknown whether the transaction was committed.
 */
export function databaseFault(error: unknown, depth = 0): DatabaseFault | null {
  if (typeof error !== 'object' || error === null || depth > 4) return null;
  const { code, originalCode, kind, message, cause, errors, meta, thrownValue } = error as Inspected;
  const inner = [meta?.driverAdapterError, cause, thrownValue, ...(Array.isArray(errors) ? errors : [])];
  return (
    firstOf([originalCode, code, kind], faultOfCode) ??
    firstOf(inner, (each) => databaseFault(each, depth + 1)) ??
    (typeof message === 'string' ? faultOfMessage(message) : null)
  );
}

function firstOf<T>(values: readonly T[], read: (value: T) => DatabaseFault | null): DatabaseFault | null {
  for (const value of values) {
    const fault = read(value);
    if (fault) return fault;
  }
  return null;
}

function faultOfCode(code: unknown): DatabaseFault | null {
  // This code is in class 08, but the statement is at fault.
  if (typeof code !== 'string' || code === sqlState('PROTOCOL_VIOLATION')) return null;
  const isOfClass = code.length === 5 && AWAY_CLASSES.some((known) => code.startsWith(known));
  return faultByCode.get(code) ?? (isOfClass ? 'AWAY' : null);
}

const faultOfMessage = (message: string): DatabaseFault | null =>
  messages.find(([start]) => message.startsWith(start))?.[1] ?? null;
