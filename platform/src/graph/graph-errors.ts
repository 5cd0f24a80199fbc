import { type DatabaseFault, databaseFault } from '@loyalty/prisma/database-error';
import { GraphQLError } from 'graphql';
import { AppError, databaseErrors, internalError } from '../base/errors.ts';
import type { Context, CurrentRequest } from '../context.ts';
import { toGraphQLError } from './error-conversion.ts';

type ErrorContext = Pick<Context, 'log'> & { readonly request: Pick<CurrentRequest, 'requestId' | 'signal'> };

/** Errors as a client may see them: with our own sentences where there are any, else with a neutral one. */
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

/** Null where the error is graphql-js's own about the request, which is fit to show. */
function appErrorOf(error: GraphQLError, ctx: ErrorContext): AppError | null {
  const cause = error.originalError;
  if (!cause || cause instanceof GraphQLError) return isOurs(error) ? null : masked(error, ctx);
  return readAppError(cause, ctx);
}

/** Any error as a client may read it: what was not expected is logged and masked. */
export function readAppError(cause: Error, ctx: ErrorContext): AppError {
  if (cause instanceof AppError) return cause;
  const fault = databaseFault(cause);
  if (!fault) return masked(cause, ctx);
  // A statement that was cancelled because nobody waits for it is no trouble of the database's.
  if (!ctx.request.signal.aborted) logFault(ctx, fault, cause);
  return databaseErrors[fault]();
}

function logFault({ log, request: { requestId } }: ErrorContext, fault: DatabaseFault, err: Error): void {
  if (fault === 'LOCKED') log.info({ err, requestId }, 'rows stayed locked');
  else log.warn({ err, requestId, fault }, 'database away or busy');
}

/** graphql-js blames the request in errors without a cause; null in a non-null field is our fault. */
const isOurs = (error: GraphQLError): boolean =>
  !error.message.startsWith('Cannot return null for non-nullable');

function masked(error: Error, ctx: ErrorContext): AppError {
  ctx.log.error({ err: error, requestId: ctx.request.requestId }, 'unexpected error');
  return internalError(`request ${ctx.request.requestId}`);
}
