/** PostgreSQL's error codes with PostgreSQL's names (its manual, appendix A). */
const sqlStates = {
  PROTOCOL_VIOLATION: '08P01',
  RESTRICT_VIOLATION: '23001',
  FOREIGN_KEY_VIOLATION: '23503',
  UNIQUE_VIOLATION: '23505',
  CHECK_VIOLATION: '23514',
  READ_ONLY_SQL_TRANSACTION: '25006',
  IDLE_IN_TRANSACTION_SESSION_TIMEOUT: '25P03',
  TRANSACTION_TIMEOUT: '25P04',
  SERIALIZATION_FAILURE: '40001',
  DEADLOCK_DETECTED: '40P01',
  UNDEFINED_TABLE: '42P01',
  DUPLICATE_DATABASE: '42P04',
  INVALID_OBJECT_DEFINITION: '42P17',
  TOO_MANY_CONNECTIONS: '53300',
  OBJECT_IN_USE: '55006',
  LOCK_NOT_AVAILABLE: '55P03',
  QUERY_CANCELED: '57014',
  ADMIN_SHUTDOWN: '57P01',
  CRASH_SHUTDOWN: '57P02',
  CANNOT_CONNECT_NOW: '57P03',
  IDLE_SESSION_TIMEOUT: '57P05',
} as const;

export type SqlStateName = keyof typeof sqlStates;

export const sqlState = (name: SqlStateName): string => sqlStates[name];

/** Places of PostgreSQL's code in errors of the driver and of Prisma. */
interface Failure {
  readonly code?: unknown;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } } };
}

/** Returns whether a statement failed with one of these codes. */
export function failedWith(error: unknown, ...names: readonly SqlStateName[]): boolean {
  const { code, meta } = (error ?? {}) as Failure;
  const codes = [code, meta?.driverAdapterError?.cause?.originalCode];
  return names.some((name) => codes.includes(sqlStates[name]));
}
