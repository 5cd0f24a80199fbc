import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import { type AppError, httpStatus } from '@loyalty/platform/base/errors';
import type { Request } from '@loyalty/platform/context';
import { toFormattedError } from '@loyalty/platform/graph/error-conversion';
import { errorHeaders } from '@loyalty/platform/http/http-errors';
import { namedPlugin } from '@loyalty/platform/http/named-plugin';
import { answerErrors } from '@loyalty/platform/http/unreadable-requests';
import '@loyalty/platform/http/http-request';
import { addExplorerAssets, sendExplorer, wantsExplorer } from '@loyalty/web/explorer/explorer';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify';
import { limits } from '../admission/limits.ts';
import type { Graph } from '../graph.ts';
import { type PersistedOperations, withDocumentId } from '../operations/persisted.ts';
import { streamTypeOf } from '../sockets/event-stream-request.ts';
import type { Sockets } from '../sockets/sockets.ts';
import { limitBodies } from './body-limits.ts';
import { addConditionalGet } from './conditional-get.ts';
import { answerPlain, plainOperation } from './plain-post.ts';

const NAME_MAX = 100;

/** The parts of the gateway that the route uses. */
interface GraphQLRouteParts {
  readonly graph: Graph;
  readonly apollo: ApolloServer<Request>;
  readonly persisted: PersistedOperations;
  readonly sockets: Sockets;
  /** See `GraphOptions.isOpen`. */
  readonly isOpen?: boolean;
}

/** GraphQL over HTTP and event streams at `/graphql`, for callers that are already authenticated. */
export function addGraphQL(app: FastifyInstance, parts: GraphQLRouteParts): void {
  const { graph, apollo, persisted, sockets, isOpen = false } = parts;
  const handle = fastifyApolloHandler(apollo, { context: async (request) => request.graphRequest() });
  addExplorerAssets(app);
  const graphqlRoute: FastifyPluginAsync = async (scope) => {
    addResponseStatus(scope);
    addConditionalGet(scope);
    if (!isOpen) limitBodies(scope, graph);
    scope.addHook('preHandler', (request, _reply, done) => {
      request.body = withDocumentId(request.body);
      done();
    });
    answerErrors(scope, (_request, reply, error) => answerError(reply, error));
    scope.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url: '/graphql',
      ...(!isOpen && { bodyLimit: limits.fileTextBytes + limits.documentBytes }),
      handler(request, reply) {
        if (wantsExplorer(request)) return sendExplorer(request, reply);
        if (request.refused) return answerError(reply, request.refused);
        const streamType = streamTypeOf(request);
        if (streamType) return sockets.stream(request, reply, streamType);
        request.operation = nameOf(request.body);
        const plain = plainOperation(request, persisted);
        return plain
          ? answerPlain(graph, plain, request, reply, isOpen)
          : handle.call(app, request as never, reply as never);
      },
    });
  };
  void app.register(namedPlugin(graphqlRoute));
}

/** Returns the name of the operation for the call log and the metrics. */
function nameOf(body: unknown): string {
  const { operationName } = (body ?? {}) as { operationName?: unknown };
  return typeof operationName === 'string' ? operationName.slice(0, NAME_MAX) : 'anonymous operation';
}

function answerError(reply: FastifyReply, error: AppError): FastifyReply {
  return reply
    .status(httpStatus[error.category])
    .headers(errorHeaders(error))
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ errors: [toFormattedError(error)] }));
}

/** Reasons with which the operation itself is at fault, not its caller or the request. */
const OPERATION_FAULTS = new Set([
  'PARSE_FAILED',
  'OPERATION_INVALID',
  'OPERATION_UNKNOWN',
  'VALIDATION_FAILED',
]);

/**
 * GraphQL over HTTP has two media types. With `application/graphql-response+json`, the status depends on the
 * operation. Clients of the older `application/json` expect 200 for every well-formed request, with errors in
 * the body; they treat any other status as a failure of the server or of a proxy. Metrics count the fault;
 * the call log has its reason.
 */
function addResponseStatus(scope: FastifyInstance): void {
  scope.addHook('onSend', (request, reply, payload, done) => {
    const reasons = reasonsIn(payload);
    request.reason = reasons[0] ?? null;
    if (reply.statusCode === 400 && isJson(reply) && reasons.some((each) => OPERATION_FAULTS.has(each))) {
      request.faultStatus = 400;
      reply.status(200);
    }
    done(null, payload);
  });
}

const isJson = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type') ?? '').startsWith('application/json');

/** Errors come first in every answer that has some, so answers without errors are not parsed. */
function reasonsIn(payload: unknown): string[] {
  if (typeof payload !== 'string' || !payload.startsWith('{"errors":')) return [];
  const { errors } = JSON.parse(payload) as { errors: { extensions?: { reason?: string } }[] };
  return errors.flatMap(({ extensions }) => extensions?.reason ?? []);
}
