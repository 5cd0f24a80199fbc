import { type SqlStateName, sqlState } from './sqlstate.ts';

/** SQLSTATE classes: connection failures, and a server without connections, memory or space left. */
const CLASSES = ['08', '53'];

const STATES: readonly SqlStateName[] = [
  'LOCK_NOT_AVAILABLE',
  'QUERY_CANCELED',
  'SERIALIZATION_FAILURE',
  'DEADLOCK_DETECTED',
  // A standby.
  'READ_ONLY_SQL_TRANSACTION',
  // The server stops, starts, or ends the session.
  'ADMIN_SHUTDOWN',
  'CRASH_SHUTDOWN',
  'CANNOT_CONNECT_NOW',
  'IDLE_SESSION_TIMEOUT',
  'IDLE_IN_TRANSACTION_SESSION_TIMEOUT',
  'TRANSACTION_TIMEOUT',
];

/** Codes of PostgreSQL, the system and Prisma that mean "not now": the same call may succeed later. */
const CODES = new Set([
  ...STATES.map(sqlState),
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
  // Out of reach, timed out, closed; no connection or transaction in time; a write conflict.
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034'],
  // Prisma's driver adapter, where the client has not translated its error.
  ...['DatabaseNotReachable', 'SocketTimeout', 'ConnectionClosed', 'TooManyConnections'],
]);

/** The driver gives no code to what happens to its connections. */
const MESSAGES = [
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end',
];

/** What errors of PostgreSQL, its driver and Prisma have in common. */
interface Inspected {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly kind?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
  /** graphql-js wraps what is no Error of its own realm. */
  readonly thrownValue?: unknown;
}

/**
 * Does the error say that the database is away, busy or gave the statement up, rather than that the statement
 * is wrong? Whether a transaction was kept whose COMMIT it answers is unknown.
 */
export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false;
  const { code, originalCode, kind, message, cause, errors, meta, thrownValue } = error as Inspected;
  if ([code, originalCode, kind].some(meansUnavailable)) return true;
  if (typeof message === 'string' && MESSAGES.some((known) => message.startsWith(known))) return true;
  const inner = [cause, thrownValue, meta?.driverAdapterError, ...(Array.isArray(errors) ? errors : [])];
  return inner.some((each) => isDatabaseUnavailable(each, depth + 1));
}

const meansUnavailable = (code: unknown): boolean =>
  typeof code === 'string' &&
  (CODES.has(code) || (code.length === 5 && CLASSES.some((known) => code.startsWith(known)))) &&
  // Of class 08, but the statement's fault.
  code !== sqlState('PROTOCOL_VIOLATION');
