import { isDatabaseUnavailable } from '@loyalty/prisma/database-error';
import { GraphQLError } from 'graphql';
import type { Context } from '../context.ts';
import { AppError, databaseUnavailable } from '../errors.ts';

type ErrorContext = Pick<Context, 'log' | 'requestId' | 'signal'>;

/** Errors as a client may see them: own words where we chose them, one neutral sentence otherwise. */
export function graphErrors(errors: readonly GraphQLError[], ctx: ErrorContext): GraphQLError[] {
  return errors.map((error) => graphError(error, ctx));
}

function graphError(error: GraphQLError, ctx: ErrorContext): GraphQLError {
  const cause = appErrorOf(error, ctx);
  const path = error.path ?? cause?.details.path;
  const place = { ...(error.nodes && { nodes: error.nodes }), ...(path && { path }) };
  if (!cause) {
    const code = error.extensions['code'] ?? 'BAD_USER_INPUT';
    return new GraphQLError(error.message, { ...place, extensions: { ...error.extensions, code } });
  }
  const { path: _, ...details } = cause.details;
  const extensions = { code: cause.category, reason: cause.code, ...details };
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
  if (isDatabaseUnavailable(cause)) {
    // A statement that was cancelled because nobody waits for it is no trouble of the database's.
    if (!ctx.signal.aborted) {
      ctx.log.warn({ err: cause, requestId: ctx.requestId }, 'database busy or away');
    }
    return databaseUnavailable();
  }
  return masked(cause, ctx);
}

/** graphql-js blames the request in errors without a cause; null in a non-null field is our fault. */
const isOurs = (error: GraphQLError): boolean =>
  !error.message.startsWith('Cannot return null for non-nullable');

function masked(error: Error, ctx: ErrorContext): AppError {
  ctx.log.error({ err: error, requestId: ctx.requestId }, 'unexpected error');
  return new AppError(
    'INTERNAL_SERVER_ERROR',
    'INTERNAL',
    `Something went wrong on our side. Quote request ${ctx.requestId}.`,
  );
}
