import { unwrapResolverError } from '@apollo/server/errors';
import { type AppError, httpStatus } from '@loyalty/platform/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';

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
  BAD_USER_INPUT: 'VALIDATION_FAILED',
};

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
  const fault = requestFaults[String(code)];
  if (fault && !(unwrapResolverError(error) instanceof TypeError)) {
    return { message, ...place, extensions: { code: 'BAD_USER_INPUT', reason: fault } };
  }
  return {
    message: 'Something went wrong on our side. Quote the X-Request-Id of this answer.',
    ...place,
    extensions: { code: 'INTERNAL_SERVER_ERROR', reason: 'INTERNAL' },
  };
}
