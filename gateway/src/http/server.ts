import type { ApolloServer } from '@apollo/server';
import { anonymous, type Caller } from '@loyalty/platform/base/caller';
import { AppError } from '@loyalty/platform/base/errors';
import type { Request, Services } from '@loyalty/platform/context';
import { addAccessLog } from '@loyalty/platform/http/access-log';
import { apiOfRequest, routeOf } from '@loyalty/platform/http/api';
import { addCors } from '@loyalty/platform/http/cors';
import { addHealth } from '@loyalty/platform/http/health';
import { clientGone } from '@loyalty/platform/http/http-request';
import { httpServer } from '@loyalty/platform/http/http-server';
import { limitLargeBodies } from '@loyalty/platform/http/large-bodies';
import { bodyBounds, boundBodies } from '@loyalty/platform/http/request-bodies';
import { rateLimitHeaders, rateLimitRefusal } from '@loyalty/platform/identity/limiter';
import type { SessionCookie } from '@loyalty/platform/identity/session-cookie';
import { addressReader } from '@loyalty/platform/identity/signed-address';
import { traceRequests } from '@loyalty/platform/observe/request-spans';
import { publicUrl } from '@loyalty/platform/outbound/public-url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../admission/authenticate.ts';
import type { CallLog, CallToLog } from '../admission/call-log.ts';
import { limits } from '../admission/limits.ts';
import type { Counted, RateLimits } from '../admission/rate-limits.ts';
import type { Graph } from '../graph.ts';
import type { PersistedOperations } from '../operations/persisted.ts';
import type { SocketParts } from '../sockets/connection-operations.ts';
import { credentialsOf } from '../sockets/presented-credentials.ts';
import { addSockets } from '../sockets/sockets.ts';
import { addGraphQL } from './graphql-route.ts';
import { decorateRequests, requestId } from './requests.ts';

interface GatewayParts extends SocketParts {
  readonly graph: Graph;
  readonly apollo: ApolloServer<Request>;
  readonly persisted: PersistedOperations;
  readonly authenticator: Authenticator;
  readonly rateLimits: RateLimits;
  readonly callLog: CallLog;
  readonly memberCookie: SessionCookie;
}

/** Routes without credential and cost: health, documents, and the files of the back office. */
const OPEN =
  /^\/(\.well-known|healthz|readyz|metrics|docs|openapi|graphql\/explorer|t\.js|app\/(\*|assets))(\/|$|\.)/;
/** Browsers send their key in the query or in the body, so the route authenticates the caller itself. */
const BROWSER_EVENTS = '/t';
/**
 * Targets of links in mails. The links are authenticated by themselves. They are not counted, because a mail
 * provider opens the messages of all its customers from a few addresses.
 */
const FROM_MAIL = /^\/[cou]\/\*$/;
const isFromMail = ({ routeOptions: { url } }: FastifyRequest): boolean => FROM_MAIL.test(url ?? '');
const isOpen = ({ routeOptions: { url } }: FastifyRequest): boolean => url !== undefined && OPEN.test(url);

/** The HTTP server: all its routes share request id, authentication, rate limits and call log. */
export function createServer(services: Services, parts: GatewayParts): FastifyInstance {
  const app = httpServer(services.log, services.config, {
    bodyLimit: limits.bodyBytes,
    requestTimeout: bodyBounds.fileMs,
    genReqId: requestId,
  });
  traceRequests(app);
  app.decorate('publicUrl', publicUrl(services.config));
  decorateRequests(app);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    request.caller = anonymous;
    request.gone = clientGone(reply);
    done();
  });
  boundBodies(app);
  limitLargeBodies(app);
  addCors(app, services.config.CORS_ORIGINS);
  const addressOf = addressReader(services.config);
  app.addHook('onRequest', async (request, reply) => {
    if (isOpen(request)) return;
    request.address = await addressOf(request.raw);
    if (isFromMail(request) || routeOf(request) === BROWSER_EVENTS) return;
    await admit(request, reply, parts);
  });
  app.addHook('onResponse', async (request, reply) => record(request, reply, services, parts));
  addAccessLog(app, services.log, services.config);
  addHealth(app, services);
  addGraphQL(app, { ...parts, sockets: addSockets(app, services, parts) });
  return app;
}

/**
 * Returns the caller of the credential in the headers. Without a credential, the cookie of a member is used,
 * for requests of our own pages. An expired cookie is not refused, because its browser may be about to sign
 * in.
 */
async function callerOf(
  { headers, id }: FastifyRequest,
  { authenticator, memberCookie, userCookie }: GatewayParts,
): Promise<Caller> {
  const credentials = credentialsOf(headers, userCookie);
  const isGiven = credentials.authorization !== undefined || credentials.apiKey !== undefined;
  const token = isGiven ? null : memberCookie.read(headers);
  if (!token) return authenticator.authenticate(credentials, id);
  try {
    const caller = await authenticator.authenticate({ authorization: `Bearer ${token}` }, id);
    return caller.kind === 'MEMBER' ? caller : anonymous;
  } catch (error) {
    if (error instanceof AppError && error.category === 'UNAUTHENTICATED') return anonymous;
    throw error;
  }
}

/** Authenticates the caller and counts the call. */
async function admit(request: FastifyRequest, reply: FastifyReply, parts: GatewayParts): Promise<void> {
  try {
    request.caller = await callerOf(request, parts);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    request.refused = error;
    // Callers cannot be looked up at the moment. Calls are not counted, because counting all keys by address
    // would soon refuse them with 429.
    if (error.category === 'UNAVAILABLE') return;
  }
  const counted = countedAs(request);
  const count = async (calls: number): Promise<AppError | null> => {
    const state = await parts.rateLimits.consume(request.caller, request.address, counted, calls);
    reply.headers(rateLimitHeaders(state, counted));
    return state.allowed ? null : rateLimitRefusal(state);
  };
  request.refused = (await count(1)) ?? request.refused;
  request.countFurther = count;
}

/**
 * Returns the counter of the request: the model API has its own rate limit. A separate REST adapter sends a
 * header with its API. Other clients gain nothing from this header: they only get the limit that they have
 * over REST.
 */
const countedAs = (request: FastifyRequest): Counted => {
  const api = isGraphQL(request) ? request.headers['x-loyalty-api'] : apiOfRequest(request);
  return api === 'v1' ? 'model-requests' : 'requests';
};

const isGraphQL = (request: FastifyRequest): boolean => routeOf(request) === '/graphql';

/** The route of MCP. */
const MCP_PATH = '/api/mcp';

function channelOf(request: FastifyRequest): CallToLog['channel'] {
  if (isGraphQL(request)) return 'GRAPHQL';
  return routeOf(request) === MCP_PATH ? 'MCP' : 'REST';
}

const metricChannels = { REST: 'rest', GRAPHQL: 'graphql', MCP: 'mcp' } as const;

function record(
  request: FastifyRequest,
  reply: FastifyReply,
  { metrics, clock }: Services,
  { callLog }: GatewayParts,
): void {
  // Operations of event streams are recorded at their start.
  if (isOpen(request) || request.isStreamed) return;
  const channel = channelOf(request);
  const operation = request.operation ?? `${request.method} ${request.routeOptions.url ?? 'unknown'}`;
  const durationMs = Math.round(reply.elapsedTime);
  const status = request.faultStatus ?? reply.statusCode;
  metrics.observeRequest({
    channel: metricChannels[channel],
    operation,
    status,
    seconds: reply.elapsedTime / 1_000,
  });
  const { workspaceId, mode, actor } = request.caller;
  if (!workspaceId) return;
  callLog.record({
    workspaceId,
    mode,
    actor,
    channel,
    operation,
    durationMs,
    status,
    requestId: request.id,
    reason: request.reason ?? (reply.getHeader('x-error-code') as string | undefined) ?? null,
    calledAt: clock.now(),
  });
}
