import { type DatabaseFault, databaseFault } from '@loyalty/prisma/database-error';
import { GraphQLError } from 'graphql';
import { AppError, databaseErrors, internalError } from '../base/errors.ts';
import type { Context, CurrentRequest } from '../context.ts';
import { toGraphQLError } from './error-conversion.ts';

type ErrorContext = Pick<Context, 'log'> & { readonly request: Pick<CurrentRequest, 'requestId' | 'signal'> };

/**
 * Converts errors to a form that clients may see: our own messages, or a neutral one for unexpected errors.
 */
export function graphErrors(errors: readonly GraphQLError[], ctx: ErrorContext): GraphQLError[] {
  return errors.map((error) => graphError(error, ctx));
}

function graphError(error: GraphQLError, ctx: ErrorContext): GraphQLError {
  const cause = appErrorOf(error, ctx);
  const place = { ...(error.nodes && { nodes: error.nodes }), ...(error.path && { path: error.path }) };
  if (cause) return toGraphQLError(cause, place);
  const code = error.extensions['code'] ?? 'BAD_USER_INPUT';
  return new GraphQLError(error.message, { ...place, extensions: { ...error.extensions, code } });
}

/** Returns null for an error of graphql-js about the request, which clients may see. */
function appErrorOf(error: GraphQLError, ctx: ErrorContext): AppError | null {
  const cause = error.originalError;
  if (!cause || cause instanceof GraphQLError) return isFaultOfRequest(error) ? null : masked(error, ctx);
  return readAppError(cause, ctx);
}

/** Converts any error to one that clients may see. Unexpected errors are logged and masked. */
export function readAppError(cause: Error, ctx: ErrorContext): AppError {
  if (cause instanceof AppError) return cause;
  const fault = databaseFault(cause);
  if (!fault) return masked(cause, ctx);
  // A statement that was cancelled because its client left is no fault of the database.
  if (!ctx.request.signal.aborted) logFault(ctx, fault, cause);
  return databaseErrors[fault]();
}

function logFault({ log, request: { requestId } }: ErrorContext, fault: DatabaseFault, err: Error): void {
  if (fault === 'LOCKED') log.info({ err, requestId }, 'rows stayed locked');
  else log.warn({ err, requestId, fault }, 'database away or busy');
}

/**
 * Returns whether an error without a cause is the fault of the request. All are, except null in a non-null
 * field.
 */
const isFaultOfRequest = (error: GraphQLError): boolean =>
  !error.message.startsWith('Cannot return null for non-nullable');

function masked(error: Error, ctx: ErrorContext): AppError {
  ctx.log.error({ err: error, requestId: ctx.request.requestId }, 'unexpected error');
  return internalError(`request ${ctx.request.requestId}`);
}
