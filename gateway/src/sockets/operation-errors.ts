import { AppError } from '@loyalty/platform/errors';
import type { Log } from '@loyalty/platform/operations/log';
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
export function refusedOperation({ message, category, code, details }: AppError): OperationError {
  const { path, ...rest } = details;
  const extensions = { code: category, reason: code, ...rest };
  return new OperationError([{ message, ...(path && { path }), extensions }]);
}

/** The error that a client gets for an operation that failed. Unexpected errors go to the log only. */
export function failedOperation(error: unknown, requestId: string, log: Log): OperationError {
  if (error instanceof OperationError) return error;
  if (error instanceof AppError) return refusedOperation(error);
  log.error({ err: error, requestId }, 'unexpected error');
  const sentence = `Something went wrong on our side. Quote request ${requestId}.`;
  return refusedOperation(new AppError('INTERNAL_SERVER_ERROR', 'INTERNAL', sentence));
}

/** Did a source end because its results were not fetched in time? */
export const isSlowConsumer = ([error]: readonly GraphQLFormattedError[]): boolean =>
  error?.extensions?.['reason'] === 'SLOW_CONSUMER';
