import { GraphQLError } from 'graphql';
import type { Context } from './context.ts';
import { AppError, unavailable } from './errors.ts';

/** PostgreSQL's and the driver's ways of saying "not now": nothing was kept, the call may be repeated. */
const BUSY = new Set([
  '55P03',
  '57014',
  '40001',
  '40P01',
  '53300',
  '57P01',
  '57P03',
  '08006',
  '08001',
  'ECONNREFUSED',
  'ECONNRESET',
  'P2024',
  'P2028',
]);

type ErrorContext = Pick<Context, 'log' | 'requestId' | 'signal'>;

/** Errors as a client may see them: own words where we chose them, one neutral sentence otherwise. */
export function graphErrors(errors: readonly GraphQLError[], ctx: ErrorContext): GraphQLError[] {
  return errors.map((error) => graphError(error, ctx));
}

function graphError(error: GraphQLError, ctx: ErrorContext): GraphQLError {
  const cause = appErrorOf(error, ctx);
  const place = { ...(error.nodes && { nodes: error.nodes }), ...(error.path && { path: error.path }) };
  if (!cause) {
    const code = error.extensions['code'] ?? 'BAD_USER_INPUT';
    return new GraphQLError(error.message, { ...place, extensions: { ...error.extensions, code } });
  }
  const extensions = { code: cause.category, reason: cause.code, ...cause.details };
  return new GraphQLError(cause.message, { ...place, extensions });
}

/** Null where the error is graphql-js's own about the request, which is fit to show. */
function appErrorOf(error: GraphQLError, ctx: ErrorContext): AppError | null {
  const cause = error.originalError;
  if (!cause || cause instanceof GraphQLError) return isOurs(error) ? null : masked(error, ctx);
  return readAppError(cause, ctx);
}

/** Any error in words that a client may read: what nobody chose words for is logged and masked. */
export function readAppError(cause: Error, ctx: ErrorContext): AppError {
  if (cause instanceof AppError) return cause;
  if (isBusy(cause)) {
    // A statement that was cancelled because nobody waits for it is no trouble of the database's.
    if (!ctx.signal.aborted) {
      ctx.log.warn({ err: cause, requestId: ctx.requestId }, 'database busy or away');
    }
    return unavailable('DATABASE_UNAVAILABLE', 'The database is busy or away; nothing was kept. Try again.');
  }
  return masked(cause, ctx);
}

/** graphql-js blames the request in errors without a cause; null in a non-null field is our fault. */
const isOurs = (error: GraphQLError): boolean =>
  !error.message.startsWith('Cannot return null for non-nullable');

function isBusy(cause: Error): boolean {
  const {
    code,
    cause: inner,
    meta,
  } = cause as Error & {
    code?: string;
    cause?: { code?: string; originalCode?: string };
    meta?: { driverAdapterError?: { cause?: { originalCode?: string } } };
  };
  const adapters = meta?.driverAdapterError?.cause?.originalCode;
  return (
    [code, inner?.code, inner?.originalCode, adapters].some(
      (found) => found !== undefined && BUSY.has(found),
    ) ||
    cause.message.startsWith('timeout exceeded when trying to connect') ||
    cause.message.startsWith('Connection terminated')
  );
}

function masked(error: Error, ctx: ErrorContext): AppError {
  ctx.log.error({ err: error, requestId: ctx.requestId }, 'unexpected error');
  return new AppError(
    'INTERNAL_SERVER_ERROR',
    'INTERNAL',
    `Something went wrong on our side. Quote request ${ctx.requestId}.`,
  );
}
