import { AppError, internalError } from '@loyalty/platform/base/errors';
import { toFormattedError } from '@loyalty/platform/graph/error-conversion';
import type { Log } from '@loyalty/platform/observe/log';
import type { GraphQLFormattedError } from 'graphql';

/** An operation that ended without data, with the errors that its client gets. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly errors: readonly GraphQLFormattedError[];

  constructor(errors: readonly GraphQLFormattedError[]) {
    super(errors[0]?.message ?? 'The operation has no result.');
    this.errors = errors;
  }
}

/** An operation that is refused. */
export const refusedOperation = (error: AppError): OperationError =>
  new OperationError([toFormattedError(error)]);

/** The error that a client gets for an operation that failed. Unexpected errors go to the log only. */
export function failedOperation(error: unknown, requestId: string, log: Log): OperationError {
  if (error instanceof OperationError) return error;
  if (error instanceof AppError) return refusedOperation(error);
  log.error({ err: error, requestId }, 'unexpected error');
  return refusedOperation(internalError(`request ${requestId}`));
}

/** Did a source end because its results were not fetched in time? */
export const isSlowConsumer = ([error]: readonly GraphQLFormattedError[]): boolean =>
  error?.extensions?.['reason'] === 'SLOW_CONSUMER';
