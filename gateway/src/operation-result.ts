import type { GraphQLError, GraphQLFormattedError } from 'graphql';
import type { Answer } from './compiled/run/answer.ts';

/** The result of one operation, with errors as clients see them. */
export interface OperationResult {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly GraphQLFormattedError[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The same before its errors are formatted: over HTTP they may carry a status. */
export interface OperationOutcome extends Omit<OperationResult, 'errors'> {
  readonly errors?: Answer['errors'] | readonly GraphQLError[];
}
