import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatErrors, type OperationOutcome } from '../error-formatting.ts';
import type { Graph } from '../graph.ts';
import type { Operation } from '../operations/operations.ts';
import type { PersistedOperations } from '../operations/persisted.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const GRAPHQL_TYPE = 'application/graphql-response+json; charset=utf-8';

/**
 * Media type of the answer for the Accept headers of most clients; Apollo Server negotiates with the others.
 */
const MEDIA_TYPES: ReadonlyMap<string | undefined, string> = new Map([
  [undefined, JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['application/json, text/plain, */*', JSON_TYPE],
  ['application/graphql-response+json', GRAPHQL_TYPE],
]);

/**
 * Returns the operation of a plain request: a POST with JSON that contains the text. Returns null if Apollo
 * Server must decide: GET, persisted hashes, other media types, malformed requests.
 */
export function plainOperation(request: FastifyRequest, persisted: PersistedOperations): Operation | null {
  const { method, headers, body } = request;
  const isJson = method === 'POST' && headers['content-type']?.startsWith('application/json') === true;
  if (!isJson || !MEDIA_TYPES.has(headers.accept)) return null;
  if (typeof body !== 'object' || body === null) return null;
  const { query, operationName, variables, extensions } = body as Record<string, unknown>;
  const isPlain =
    typeof query === 'string' &&
    query !== '' &&
    (operationName == null || typeof operationName === 'string') &&
    (variables == null || (typeof variables === 'object' && !Array.isArray(variables))) &&
    extensions == null &&
    persisted.refusal(query) === null;
  if (!isPlain) return null;
  return {
    query,
    ...(operationName && { operationName: operationName as string }),
    ...(variables != null && { variables: variables as Record<string, unknown> }),
  };
}

/**
 * Answers a plain request with the same bytes as Apollo Server. Nearly all requests are plain, and Apollo
 * Server needs as much time for each as planning and execution together.
 */
export async function answerPlain(
  graph: Graph,
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  isOpen: boolean,
): Promise<FastifyReply> {
  const { errors, ...outcome } = await graph.answer(operation, request.graphRequest());
  if (errors) setHead(reply, errors, outcome.data === undefined);
  const { data, extensions } = outcome;
  const shown = errors && formatErrors(errors, isOpen);
  return reply
    .type(MEDIA_TYPES.get(request.headers.accept)!)
    .send(`${JSON.stringify({ errors: shown, data, extensions })}\n`);
}

/** Sets status and headers from the errors; 400 if the operation did not run. */
function setHead(
  reply: FastifyReply,
  errors: NonNullable<OperationOutcome['errors']>,
  isRefused: boolean,
): void {
  if (isRefused) reply.status(400);
  for (const { extensions } of errors) {
    const http = extensions?.['http'] as HttpHead | undefined;
    if (http?.status) reply.status(http.status);
    for (const [name, value] of http?.headers ?? []) reply.header(name, value);
  }
}

/** Status and headers in the extensions of our errors, in the form of Apollo Server. */
interface HttpHead {
  readonly status?: number;
  readonly headers?: ReadonlyMap<string, string>;
}
