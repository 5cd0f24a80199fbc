import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { Request } from '@loyalty/platform/context';
import { type AppError, httpStatus } from '@loyalty/platform/errors';
import { readableError } from '@loyalty/platform/http-errors';
import '@loyalty/platform/http-request';
import { withRemoteTrace } from '@loyalty/platform/telemetry';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify';
import { addConditionalGet } from './conditional-get.ts';
import { addExplorerAssets, sendExplorer, wantsExplorer } from './explorer.ts';
import { withDocumentId } from './persisted.ts';
import { addResponseStatus } from './response-status.ts';
import { wantsEventStream } from './sockets/event-stream-request.ts';
import type { Sockets } from './sockets/sockets.ts';

/** GraphQL over HTTP and event streams at `/graphql`; who calls is decided before. */
export function addGraphQL(app: FastifyInstance, apollo: ApolloServer<Request>, sockets: Sockets): void {
  const handle = fastifyApolloHandler(apollo, {
    context: async (request) => {
      const { operationName } = (request.body ?? {}) as { operationName?: unknown };
      request.operation =
        typeof operationName === 'string' ? operationName.slice(0, 100) : 'anonymous operation';
      return request.graphRequest();
    },
  });
  addExplorerAssets(app);
  const graphqlRoute: FastifyPluginAsync = async (scope) => {
    addResponseStatus(scope);
    addConditionalGet(scope);
    scope.addHook('preHandler', async (request) => {
      request.body = withDocumentId(request.body);
    });
    scope.setErrorHandler((error, _request, reply) => answerError(reply, readableError(error)));
    scope.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url: '/graphql',
      handler(request, reply) {
        if (wantsExplorer(request)) return sendExplorer(reply);
        if (request.refused) return answerError(reply, request.refused);
        if (wantsEventStream(request)) return sockets.stream(request, reply);
        return withRemoteTrace(request.headers, () => handle.call(app, request as never, reply as never));
      },
    });
  };
  void app.register(graphqlRoute);
}

function answerError(reply: FastifyReply, error: AppError): FastifyReply {
  const { category, code, details, message } = error;
  if (category === 'UNAUTHENTICATED') reply.header('www-authenticate', 'Bearer');
  if (details.retryAfterSeconds) reply.header('retry-after', String(details.retryAfterSeconds));
  const body = { errors: [{ message, extensions: { code: category, reason: code, ...details } }] };
  return reply
    .status(httpStatus[category])
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(body));
}
