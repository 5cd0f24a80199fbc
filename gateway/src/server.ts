import { randomUUID } from 'node:crypto';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import { anonymous } from '@loyalty/platform/caller';
import type { Request, Services } from '@loyalty/platform/context';
import { AppError, httpStatus } from '@loyalty/platform/errors';
import { addHealth } from '@loyalty/platform/health';
import { readableError } from '@loyalty/platform/http-errors';
import { rateLimitHeaders } from '@loyalty/platform/limiter';
import '@loyalty/platform/http-request';
import { withRemoteTrace } from '@loyalty/platform/telemetry';
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Authenticator } from './authenticate.ts';
import type { CallLog } from './call-log.ts';
import type { Graph } from './graph.ts';
import { limits } from './limits.ts';
import type { RateLimits } from './rate-limits.ts';

export interface GatewayParts {
  readonly graph: Graph;
  readonly authenticator: Authenticator;
  readonly rateLimits: RateLimits;
  readonly callLog: CallLog;
}

const REQUEST_ID = /^[\w.:-]{1,128}$/;
/** Doors that need no credential and cost nothing: health and documents. */
const OPEN = /^\/(healthz|readyz|metrics|docs|openapi)\b/;

/** The HTTP server before its routes: request id, caller, limits and call log are the same for every door. */
export function createServer(services: Services, parts: GatewayParts): FastifyInstance {
  const app = fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.bodyBytes,
    trustProxy: services.config.TRUST_PROXY,
    requestTimeout: 60_000,
    genReqId: (raw) => {
      const given = raw.headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    frameworkErrors: (_, request, reply) => answerUnreadablePath(request, reply),
  });
  app.decorateRequest('caller');
  app.decorateRequest('refused', null);
  app.decorateRequest('operation', null);
  app.decorateRequest('gone');
  app.decorateRequest('graphRequest', graphRequest);
  app.addHook('onRequest', async (request, reply) => admit(request, reply, parts));
  app.addHook('onResponse', async (request, reply) => record(request, reply, services, parts));
  addHealth(app, services);
  addGraphQL(app, parts.graph);
  return app;
}

function graphRequest(this: FastifyRequest): Request {
  return {
    caller: this.caller,
    requestId: this.id,
    idempotencyKey: (this.headers['idempotency-key'] as string | undefined) ?? null,
    address: this.ip,
    signal: this.gone,
  };
}

/** Names the request, finds out who calls and counts the call. */
async function admit(request: FastifyRequest, reply: FastifyReply, parts: GatewayParts): Promise<void> {
  reply.header('x-request-id', request.id);
  request.caller = anonymous;
  request.gone = clientGone(reply);
  if (OPEN.test(request.url)) return;
  try {
    const {
      authorization,
      'x-api-key': apiKey,
      'x-loyalty-mode': mode,
    } = request.headers as Record<string, string>;
    request.caller = await parts.authenticator.authenticate({ authorization, apiKey, mode }, request.id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    request.refused = error;
  }
  const state = await parts.rateLimits.consume(request.caller, request.ip);
  reply.headers(rateLimitHeaders(state, 'requests'));
  if (!state.allowed) {
    const sentence = `More than ${state.limit} requests in a minute. Wait ${state.resetSeconds} s.`;
    request.refused = new AppError('RATE_LIMITED', 'RATE_LIMITED', sentence, {
      retryAfterSeconds: state.resetSeconds,
    });
  }
}

function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => reply.raw.writableFinished || controller.abort());
  return controller.signal;
}

function record(
  request: FastifyRequest,
  reply: FastifyReply,
  { metrics, clock }: Services,
  { callLog }: GatewayParts,
): void {
  if (OPEN.test(request.url)) return;
  const door = request.url.startsWith('/graphql') ? 'GRAPHQL' : 'REST';
  const operation = request.operation ?? `${request.method} ${request.routeOptions.url ?? 'unknown'}`;
  const durationMs = Math.round(reply.elapsedTime);
  metrics.observeRequest({
    door: door === 'REST' ? 'rest' : 'graphql',
    operation: door === 'REST' ? operation : 'graphql',
    status: reply.statusCode,
    seconds: reply.elapsedTime / 1_000,
  });
  const { workspaceId, mode, actor } = request.caller;
  if (!workspaceId) return;
  callLog.record({
    workspaceId,
    mode,
    actor,
    door,
    operation,
    durationMs,
    status: reply.statusCode,
    requestId: request.id,
    calledAt: clock.now(),
  });
}

function addGraphQL(app: FastifyInstance, graph: Graph): void {
  const handle = fastifyApolloHandler(graph.apollo, {
    context: async (request) => {
      const { operationName } = (request.body ?? {}) as { operationName?: unknown };
      request.operation =
        typeof operationName === 'string' ? operationName.slice(0, 100) : 'anonymous operation';
      return request.graphRequest();
    },
  });
  const graphqlRoute: FastifyPluginAsync = async (scope) => {
    scope.setErrorHandler((error, _request, reply) => answerError(reply, readableError(error)));
    scope.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url: '/graphql',
      handler(request, reply) {
        if (request.refused) return answerError(reply, request.refused);
        return withRemoteTrace(request.headers, () => handle.call(app, request as never, reply as never));
      },
    });
  };
  void app.register(graphqlRoute);
}

/** A path that cannot be decoded, or with an endless segment, names nothing and reaches no door. */
function answerUnreadablePath(request: FastifyRequest, reply: FastifyReply): void {
  const message = 'There is no such path here. See /docs for every path.';
  const code = 'PATH_NOT_FOUND';
  reply.status(404).headers({ 'x-request-id': request.id, 'x-error-code': code });
  reply.send({ error: request.url.startsWith('/api/v1/') ? { code, message } : message });
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
