import { unwrapResolverError } from '@apollo/server/errors';
import { type AppError, httpStatus } from '@loyalty/platform/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { PlanError } from './compiled/run.ts';

/** An error of ours as graphql-js throws it; over HTTP a refused request has the status of its category. */
export function graphQLErrorOf({ message, category, code, details }: AppError): GraphQLError {
  const headers = new Map<string, string>();
  if (category === 'UNAUTHENTICATED') headers.set('www-authenticate', 'Bearer');
  if (details.retryAfterSeconds) headers.set('retry-after', String(details.retryAfterSeconds));
  const http = { status: httpStatus[category], headers };
  return new GraphQLError(message, { extensions: { code: category, reason: code, ...details, http } });
}

/** Codes of Apollo Server's own that blame the request. */
const requestFaults: Record<string, string> = {
  GRAPHQL_PARSE_FAILED: 'PARSE_FAILED',
  GRAPHQL_VALIDATION_FAILED: 'OPERATION_INVALID',
  OPERATION_RESOLUTION_FAILURE: 'OPERATION_UNKNOWN',
  BAD_REQUEST: 'REQUEST_INVALID',
  PERSISTED_QUERY_NOT_FOUND: 'PERSISTED_QUERY_NOT_FOUND',
  PERSISTED_QUERY_NOT_SUPPORTED: 'PERSISTED_QUERY_NOT_SUPPORTED',
  BAD_USER_INPUT: 'VALIDATION_FAILED',
};

/** Here and there Apollo Server blames the request by a status alone. */
function isRequestFault(error: unknown): boolean {
  const { http } = (error as { extensions?: { http?: { status?: number } } } | null)?.extensions ?? {};
  return http?.status !== undefined && http.status >= 400 && http.status < 500;
}

/** The last word on every error: one of our codes, a reason, nothing of how we are built. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const { message, path, locations } = formatted;
  const { code, reason, field, retryAfterSeconds } = (formatted.extensions ?? {}) as Record<string, unknown>;
  const place = { ...(path && { path }), ...(locations && { locations }) };
  if (typeof reason === 'string') {
    const details = {
      ...(field !== undefined && { field }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    };
    return { message, ...place, extensions: { code, reason, ...details } };
  }
  const fault = requestFaults[String(code)] ?? (isRequestFault(error) ? 'REQUEST_INVALID' : undefined);
  if (fault && !(unwrapResolverError(error) instanceof TypeError)) {
    return { message, ...place, extensions: { code: 'BAD_USER_INPUT', reason: fault } };
  }
  return {
    message: 'Something went wrong on our side. Quote the X-Request-Id of this answer.',
    ...place,
    extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL' },
  };
}

/** A fault of our own; its cause is in the log. */
export const internalError = (): GraphQLError =>
  new GraphQLError('Something went wrong on our side. Quote the X-Request-Id of this answer.', {
    extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL', http: { status: 500 } },
  });

/** Errors of an answer as clients see them; an open gateway passes on what subgraphs say of themselves. */
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

/** The same errors as Apollo Server takes them. */
export const thrownErrors = (errors: readonly (PlanError | GraphQLError)[]): GraphQLError[] =>
  errors.map((error) => {
    if (error instanceof GraphQLError) return error;
    const { message, path, extensions } = error;
    return new GraphQLError(message, { ...(path && { path }), ...(extensions && { extensions }) });
  });
