import { anonymous, type Caller, type Mode, type Role } from '@loyalty/platform/base/caller';
import { forbidden, internalError, unauthenticated } from '@loyalty/platform/base/errors';
import type { Config } from '@loyalty/platform/config/config';
import { toAppError } from '@loyalty/platform/graph/error-conversion';
import { errorHeaders, sendRestError } from '@loyalty/platform/http/http-errors';
import { clientGone } from '@loyalty/platform/http/http-request';
import { answerErrors } from '@loyalty/platform/http/unreadable-requests';
import { addVary, CALLERS_VARY } from '@loyalty/platform/http/vary';
import { publicUrl } from '@loyalty/platform/outbound/public-url';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { McpCallerDocument } from '#generated/graphql';
import type { GraphClient } from '../graph-client.ts';
import { examples } from '../openapi/examples.ts';
import { type DocumentOptions, openApi } from '../openapi/openapi.ts';
import { arrayRefusal } from './mcp-arrays.ts';
import { mcpServer } from './mcp-server.ts';
import { toolsOf } from './tool.ts';

/** Path of the MCP server for AI agents. */
export const MCP_PATH = '/api/mcp';
const METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`;
const VERSION = '1.0.0';

export interface McpOptions extends DocumentOptions {
  readonly graph: GraphClient;
  readonly config: Config;
}

/**
 * Serves the Model Context Protocol over streamable HTTP. Rows with a `tool` are its tools. There are no
 * sessions: each request contains everything, so any process can answer it.
 */
export async function mcp(app: FastifyInstance, options: McpOptions): Promise<void> {
  const { config, graph } = options;
  const tools = toolsOf(options.rows, options, examples);
  const documents = { v1: openApi('v1', options), v2: openApi('v2', options) };
  const parts = { tools, sources: { tools, documents, schema: options.schema }, graph, version: VERSION };
  const handler = createMcpHandler(({ authInfo }) => mcpServer(parts, requestIn(authInfo)), {
    onerror: (error) => app.log.info({ err: error }, 'mcp request refused'),
  });
  answerErrors(app, sendRestError);
  // The protocol has its own errors for bodies that are not JSON.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.addHook('onClose', () => handler.close());
  serveMetadata(app, config);
  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: MCP_PATH,
    onRequest: async (request, reply) => admit(request, reply, options),
    async handler(request, reply) {
      request.operation = operationOf(request);
      const refused = await arrayRefusal(request);
      if (refused) return reply.status(400).send(refused);
      const authInfo = { token: '', clientId: request.caller.actor, scopes: [], extra: { request } };
      const response = await handler.fetch(webRequest(request), { authInfo });
      return reply.send(response);
    },
  });
}

const requestIn = (authInfo: { readonly extra?: Record<string, unknown> } | undefined): FastifyRequest =>
  authInfo?.extra?.['request'] as FastifyRequest;

/**
 * Returns the name of a request in metrics and in the call log, until its tool is known. All names come from
 * a limited set.
 */
const operationOf = ({ method }: FastifyRequest): string => `MCP ${method}`;

/** Returns the names that requests can have, for the labels of metrics. */
export const mcpOperations = ({ rows }: Pick<DocumentOptions, 'rows'>): string[] => [
  ...['GET', 'POST', 'DELETE', 'unknown tool', 'resources/read'].map((name) => `MCP ${name}`),
  ...rows.flatMap(({ tool }) => (tool ? [`MCP ${tool.name}`] : [])),
];

/**
 * Refuses scripts of other sites, then callers without a valid credential. An agent always acts for a key or
 * a person.
 */
async function admit(request: FastifyRequest, reply: FastifyReply, options: McpOptions): Promise<void> {
  reply.header('x-request-id', request.id);
  reply.header('cache-control', 'no-store');
  addVary(reply, CALLERS_VARY);
  const { config } = options;
  if (!isAllowedOrigin(request.headers.origin, config))
    throw forbidden('ORIGIN_REFUSED', 'Scripts of this origin may not call. Add it to CORS_ORIGINS.');
  request.gone ??= clientGone(reply);
  await admitCaller(request, options.graph);
  const refused = request.refused ?? (request.caller.kind === anonymous.kind ? credentialMissing() : null);
  if (!refused) return;
  if (refused.category === 'UNAUTHENTICATED') {
    reply.headers(errorHeaders(refused));
    reply.header('www-authenticate', `Bearer resource_metadata="${publicUrl(config)}${METADATA_PATH}"`);
    reply.status(401).header('x-error-code', refused.code);
    return reply.send({ error: refused.message }) as never;
  }
  throw refused;
}

const credentialMissing = () =>
  unauthenticated('CREDENTIAL_MISSING', 'Send an API key as Authorization: Bearer <key>.');

/**
 * Serves the metadata of RFC 9728. Keys are created in the back office, so the metadata names no
 * authorization server.
 */
function serveMetadata(app: FastifyInstance, config: Config): void {
  app.get(METADATA_PATH, async (_request, reply) => {
    reply.header('cache-control', 'max-age=3600');
    return {
      resource: publicUrl(config) + MCP_PATH,
      resource_name: 'Loyalty Platform',
      resource_documentation: `${publicUrl(config)}/docs`,
      bearer_methods_supported: ['header'],
    };
  });
}

/** Returns the request as a `Request` of the Fetch standard. It is aborted when the client disconnects. */
function webRequest(request: FastifyRequest): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return new Request(`http://localhost${MCP_PATH}`, {
    method: request.method,
    headers,
    signal: request.gone,
    ...(request.method === 'POST' && { body: (request.body as string | undefined) ?? '' }),
  });
}

interface Viewer {
  readonly kind: 'KEY' | 'USER' | 'MEMBER';
  readonly mode: Mode;
  readonly role: Role | null;
  readonly scopes: readonly string[];
  readonly modules: readonly string[];
}

/**
 * Sets `request.caller` in a process that does not know the caller: a separate adapter asks the graph what
 * the credential may do. A refused credential is set as `request.refused`, as in the gateway.
 */
async function admitCaller(request: FastifyRequest, graph: GraphClient): Promise<void> {
  if (request.caller !== undefined) return;
  request.caller = anonymous;
  const { authorization, 'x-api-key': apiKey } = request.headers;
  if (authorization === undefined && apiKey === undefined) return;
  const { data, errors } = await graph.execute(callerQuestion, request);
  if (errors?.[0]) request.refused = toAppError(errors[0]) ?? internalError();
  else request.caller = callerOf(data!['viewer'] as Viewer);
}

const callerQuestion = { query: McpCallerDocument.toString(), operationName: 'McpCaller', variables: {} };

/** Returns the parts of a caller that decide which tools it may use. The gateway checks every call again. */
const callerOf = (viewer: Viewer): Caller => ({ ...anonymous, ...viewer, actor: 'remote' });

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns whether scripts of an origin may call. A page of another site must not use the browser to reach
 * this server, for example on the user's own machine. Programs send no origin.
 */
function isAllowedOrigin(
  origin: string | undefined,
  config: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT' | 'CORS_ORIGINS'>,
): boolean {
  if (origin === undefined) return true;
  if (config.CORS_ORIGINS.includes(origin) || !URL.canParse(origin))
    return config.CORS_ORIGINS.includes(origin);
  const own = new URL(publicUrl(config));
  const { hostname, origin: asked } = new URL(origin);
  return asked === own.origin || (LOOPBACK.includes(own.hostname) && LOOPBACK.includes(hostname));
}
