import { unwrapResolverError } from '@apollo/server/errors';
import type { ErrorReason } from '@loyalty/platform/base/error-reasons';
import { AppError, httpStatus, internalError } from '@loyalty/platform/base/errors';
import { toFormattedError } from '@loyalty/platform/graph/error-conversion';
import { errorHeaders } from '@loyalty/platform/http/http-errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Answer } from './executor/run/answer.ts';
import type { PlanError } from './executor/run/plan-run.ts';

/** Converts an AppError to a GraphQLError; over HTTP, a refused request has the status of its category. */
export function graphQLErrorOf(error: AppError): GraphQLError {
  const { message, path, extensions } = toFormattedError(error);
  const http = { status: httpStatus[error.category], headers: new Map(Object.entries(errorHeaders(error))) };
  return new GraphQLError(message, { ...(path && { path }), extensions: { ...extensions, http } });
}

/** Apollo Server's codes for faults of the request, with our reasons. */
const requestFaults: Record<string, ErrorReason> = {
  GRAPHQL_PARSE_FAILED: 'PARSE_FAILED',
  GRAPHQL_VALIDATION_FAILED: 'OPERATION_INVALID',
  OPERATION_RESOLUTION_FAILURE: 'OPERATION_UNKNOWN',
  BAD_REQUEST: 'REQUEST_INVALID',
  PERSISTED_QUERY_NOT_FOUND: 'PERSISTED_QUERY_NOT_FOUND',
  PERSISTED_QUERY_NOT_SUPPORTED: 'PERSISTED_QUERY_NOT_SUPPORTED',
  BAD_USER_INPUT: 'VALIDATION_FAILED',
};

/** Recognizes faults of the request; for some of them Apollo Server sets only a status. */
function isRequestFault(error: unknown): boolean {
  const { http } = (error as { extensions?: { http?: { status?: number } } } | null)?.extensions ?? {};
  return http?.status !== undefined && http.status >= 400 && http.status < 500;
}

type Details = Readonly<Record<string, unknown>>;

/** Formats an error for clients: one of our codes, a reason, and no internals. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const { message, path, locations } = formatted;
  const { code, reason, field, errors, values, line, column, issues, retryAfterSeconds } =
    (formatted.extensions ?? {}) as Details;
  const place = { ...(path && { path }), ...(locations && { locations }) };
  if (typeof reason === 'string') {
    const details = {
      ...(field !== undefined && { field }),
      ...(errors !== undefined && { errors }),
      ...(values !== undefined && { values }),
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
      ...(issues !== undefined && { issues }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    };
    return { message, ...place, extensions: { code, reason, ...details } };
  }
  const fault = requestFaults[String(code)] ?? (isRequestFault(error) ? 'REQUEST_INVALID' : undefined);
  if (fault && !(unwrapResolverError(error) instanceof TypeError)) {
    return { message, ...place, extensions: { code: 'BAD_USER_INPUT', reason: fault } };
  }
  return { ...toFormattedError(internalError()), ...place };
}

/**
 * Returns the outcome unchanged if any field was answered. If all needed subgraphs are unavailable and no
 * field was answered, the whole operation is refused: over HTTP with 503 and Retry-After.
 */
export function unlessUnavailable(outcome: OperationOutcome): OperationOutcome {
  const { data, errors } = outcome;
  const isUnavailable = errors?.every(({ extensions }) => extensions?.['code'] === 'UNAVAILABLE') ?? false;
  if (!isUnavailable || Object.values(data ?? {}).some((value) => value !== null)) return outcome;
  const [{ message, path, extensions }] = errors as readonly [PlanError, ...PlanError[]];
  const seconds = extensions?.['retryAfterSeconds'] ?? 1;
  const http = { status: httpStatus.UNAVAILABLE, headers: new Map([['retry-after', String(seconds)]]) };
  return { errors: [{ message, path, extensions: { ...extensions, http } }] };
}

/** The error for a valid operation that cannot be planned or run. */
export const unsupportedOperation = (): GraphQLError =>
  graphQLErrorOf(
    new AppError(
      'BAD_USER_INPUT',
      'OPERATION_UNSUPPORTED',
      'This operation cannot be run as written. Simplify it, or quote the X-Request-Id of this answer.',
    ),
  );

/**
 * Returns the errors of an operation for callers without a credential. They name mistakes in the operation,
 * but no fields, types or values of the schema.
 */
export function withoutSchema(errors: readonly PlanError[]): readonly PlanError[] {
  const others = errors
    .filter(({ extensions }) => extensions?.['reason'] !== 'OPERATION_INVALID')
    .map((error) => {
      const message = error.message.replace(/ Did you mean .*$/s, '');
      return message === error.message ? error : { ...error, message };
    });
  if (others.length === errors.length) return others;
  const message = 'The operation does not fit the schema. Send a credential to see where.';
  return [{ message, extensions: { code: 'BAD_USER_INPUT', reason: 'OPERATION_INVALID' } }, ...others];
}

/** Formats the errors of an answer for clients. An open gateway passes on errors of subgraphs unchanged. */
export function formatErrors(
  errors: readonly (PlanError | GraphQLError)[],
  isOpen: boolean,
): GraphQLFormattedError[] {
  return errors.map((error) => (isOpen ? openError(error) : formatError(plain(error), error)));
}

function plain(error: PlanError | GraphQLError): GraphQLFormattedError {
  if (error instanceof GraphQLError) return error.toJSON();
  const { message, path, extensions } = error;
  return { message, ...(path && { path }), ...(extensions && { extensions }) };
}

function openError(error: PlanError | GraphQLError): GraphQLFormattedError {
  const { extensions, ...rest } = plain(error);
  const { http: _, ...shown } = extensions ?? {};
  return { ...rest, extensions: { code: 'DOWNSTREAM_SERVICE_ERROR', ...shown } };
}

/** Converts errors to the form that Apollo Server accepts. */
export const thrownErrors = (errors: readonly (PlanError | GraphQLError)[]): GraphQLError[] =>
  errors.map((error) => {
    if (error instanceof GraphQLError) return error;
    const { message, path, extensions } = error;
    return new GraphQLError(message, { ...(path && { path }), ...(extensions && { extensions }) });
  });

/** The result of one operation, with errors formatted for clients. */
export interface OperationResult {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly GraphQLFormattedError[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The result before its errors are formatted; over HTTP they may contain a status. */
export interface OperationOutcome extends Omit<OperationResult, 'errors'> {
  readonly errors?: Answer['errors'] | readonly GraphQLError[];
}
