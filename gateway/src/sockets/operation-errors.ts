import { AppError, internalError } from '@loyalty/platform/base/errors';
import { toFormattedError } from '@loyalty/platform/graph/error-conversion';
import type { Log } from '@loyalty/platform/observe/log';
import type { GraphQLFormattedError } from 'graphql';

/** An operation that ended without data, with the errors for its client. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly errors: readonly GraphQLFormattedError[];

  constructor(errors: readonly GraphQLFormattedError[]) {
    super(errors[0]?.message ?? 'The operation has no result.');
    this.errors = errors;
  }
}

/** Returns the error for a refused operation. */
export const refusedOperation = (error: AppError): OperationError =>
  new OperationError([toFormattedError(error)]);

/** Returns the error that a client receives for a failed operation. Unexpected errors are only logged. */
export function failedOperation(error: unknown, requestId: string, log: Log): OperationError {
  if (error instanceof OperationError) return error;
  if (error instanceof AppError) return refusedOperation(error);
  log.error({ err: error, requestId }, 'unexpected error');
  return refusedOperation(internalError(`request ${requestId}`));
}

/** Returns whether a source ended because its results were not fetched in time. */
export const isSlowConsumer = ([error]: readonly GraphQLFormattedError[]): boolean =>
  error?.extensions?.['reason'] === 'SLOW_CONSUMER';
