import { sendRestError } from '@loyalty/platform/http/http-errors';
import { acceptOnlyJson, answerErrors } from '@loyalty/platform/http/unreadable-requests';
import '@loyalty/platform/http/http-request';
import { AppError, unauthenticated } from '@loyalty/platform/base/errors';
import { apiOfRequest } from '@loyalty/platform/http/api';
import { addVary, CALLERS_VARY } from '@loyalty/platform/http/vary';
import type { AccessMap } from '@loyalty/platform/identity/access';
import type { SessionCookie } from '@loyalty/platform/identity/session-cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { isOnlyEmpty, joinBatch, readBatch } from './batch.ts';
import { addDownload } from './custom/download.ts';
import { addEmailNotices, emailNoticesEndpoint } from './custom/email-notices.ts';
import { addUpload } from './custom/import-upload.ts';
import { addModelCards, modelCardsEndpoint } from './custom/model-cards.ts';
import { addPaymentEvents, paymentEventsEndpoint } from './custom/payment-events.ts';
import type { GraphClient } from './graph-client.ts';
import { type Received, readVariables } from './input.ts';
import { choicesOf, choose, knownFields } from './table/choice.ts';
import { deprecationHeaders } from './table/deprecation.ts';
import { aboutOf, bodyOf, type Endpoint, endpointOf, execute } from './table/endpoint.ts';
import type { Row } from './table/row.ts';
import type { RowOperation } from './table/row-operation.ts';

export interface AdapterOptions {
  readonly rows: readonly Row[];
  /** The schema that clients of the graph see, with scalars that check values. */
  readonly schema: GraphQLSchema;
  readonly access: AccessMap;
  readonly graph: GraphClient;
  readonly memberCookie: SessionCookie;
}

/** The methods that get 405 on a path that does not serve them. Fastify handles HEAD together with GET. */
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'] as const;

/** Serves the rows, the model cards, and the events of payment and mail providers. Any other path is 404. */
export async function restAdapter(app: FastifyInstance, options: AdapterOptions): Promise<void> {
  acceptOnlyJson(app);
  answerErrors(app, sendRestError);
  app.setNotFoundHandler((request) => {
    throw pathNotFound(request);
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (apiOfRequest(request) === 'v1') refuseKeyHeader(request);
    if (request.refused) throw request.refused;
    // The router accepts an empty segment as an id. No documented path has an empty segment.
    if (Object.values(request.params as Received['params']).includes('')) throw pathNotFound(request);
  });
  app.addHook('onSend', async (_request, reply) => {
    addVary(reply, CALLERS_VARY);
    reply.header('cache-control', 'no-store');
  });
  const paths = Map.groupBy(options.rows, ({ method, path }) => `${method} ${path}`);
  for (const [, rows] of paths) addRows(app, rows as [Row, ...Row[]], options);
  addPaymentEvents(app, options.schema, options.graph);
  addEmailNotices(app, options.schema, options.graph);
  addModelCards(app, options.schema, options.graph);
  refuseOtherMethods(app, [...options.rows, paymentEventsEndpoint, emailNoticesEndpoint, modelCardsEndpoint]);
}

/**
 * Serves the rows of one method and path. A caller who may use none of the rows is refused before the input
 * is read.
 */
function addRows(app: FastifyInstance, rows: readonly [Row, ...Row[]], options: AdapterOptions): void {
  const [first, ...others] = rows.map((row) => endpointOf(row, options)) as [Endpoint, ...Endpoint[]];
  const endpoints = [first, ...others] as const;
  const refuse = async (request: FastifyRequest) => {
    const refused = first.refusal(request);
    if (refused && others.every(({ refusal }) => refusal(request))) throw refused;
  };
  const { method, path, fileField, download } = first.row;
  if (download) {
    addDownload(app, { ...first, graph: options.graph, refuse });
    return;
  }
  if (fileField) {
    addUpload(app, { ...first, graph: options.graph, refuse });
    return;
  }
  const selectors = Object.keys(choicesOf(rows));
  const bodyBytesMax = Math.max(0, ...rows.map((row) => row.bodyBytesMax ?? 0));
  app.route({
    method,
    url: path,
    ...(bodyBytesMax > 0 && { bodyLimit: bodyBytesMax }),
    onRequest: refuse,
    async handler(request, reply) {
      const received = { params: request.params, query: request.query, body: request.body } as Received;
      const endpoint = choose(endpoints, received);
      const { row, operation, refusal } = endpoint;
      if (row.deprecated) reply.headers(deprecationHeaders(row.deprecated));
      const refused = refusal(request);
      if (refused) throw refused;
      const chosen = { selectors, known: knownFields(endpoints, endpoint) };
      const { variables, batch } = readInput(row, operation, received, chosen);
      const { data, error, headers } = await execute(endpoint, variables, options.graph, request);
      if (headers) reply.headers(headers);
      if (batch && error && isOnlyEmpty(row, batch, error))
        return reply.status(row.status ?? 207).send(joinBatch(row, batch, null));
      if (error) throw error;
      const shaped = bodyOf(endpoint, data, { ...received.params, ...aboutOf(row, variables) });
      const body = batch ? joinBatch(row, batch, shaped) : shaped;
      keepSession(row, request, reply, { body, ...options });
      return reply.status(statusOf(row, body)).send(body);
    },
  });
}

/**
 * Deletes the cookie of a session that ends. For a new session, sets a cookie if a page of our own origin
 * sent the request. All clients also get the token in the body.
 */
function keepSession(
  { session }: Row,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { body, memberCookie }: Pick<AdapterOptions, 'memberCookie'> & { readonly body: unknown },
): void {
  if (session === 'ends') reply.header('set-cookie', memberCookie.clear);
  if (session !== 'starts' || !memberCookie.isOwnPage(headers)) return;
  const { token, expires_at: expiresAt } = body as { token: string; expires_at: string };
  reply.header('set-cookie', memberCookie.keep(token, new Date(expiresAt)));
}

/** Returns the variables for the graph. For a batch with invalid items they contain only the valid items. */
function readInput(
  row: Row,
  operation: RowOperation,
  received: Received,
  chosen: Parameters<typeof readVariables>[3],
) {
  try {
    return { variables: readVariables(row, operation, received, chosen), batch: null };
  } catch (error) {
    const batch = row.itemsField ? readBatch(row, operation, received) : null;
    if (!batch) throw error;
    return { variables: batch.variables, batch };
  }
}

function statusOf(row: Row, body: unknown): number {
  const hasFailures = row.isBatch && Number((body as { failed?: unknown }).failed) > 0;
  return hasFailures ? 207 : (row.status ?? 200);
}

function pathNotFound(request: FastifyRequest): AppError {
  const path = request.url.split('?', 1)[0];
  const sentence = `There is no ${path} here. See /docs/rest for every path.`;
  return new AppError('NOT_FOUND', 'PATH_NOT_FOUND', sentence);
}

/** The model API accepts a key only in the Authorization header. */
function refuseKeyHeader({ headers }: FastifyRequest): void {
  if (headers['x-api-key'] === undefined) return;
  throw unauthenticated(
    'CREDENTIAL_MISPLACED',
    'The model API takes no X-API-Key header. Send the key as Authorization: Bearer <key>.',
  );
}

/** Answers 405 with the allowed methods. Paths that differ only in parameter names are the same path. */
function refuseOtherMethods(app: FastifyInstance, rows: readonly Pick<Row, 'method' | 'path'>[]): void {
  for (const [, [first, ...others]] of Map.groupBy(rows, ({ path }) => path.replace(/:\w+/g, ':'))) {
    const served = [...new Set([first!, ...others].map(({ method }) => method))];
    const allowed = served.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
    const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<never> => {
      reply.header('allow', allowed);
      throw new AppError(
        'BAD_USER_INPUT',
        'METHOD_NOT_ALLOWED',
        `${request.method} is not possible here, only ${allowed}.`,
      );
    };
    app.route({
      method: METHODS.filter((method) => !(served as string[]).includes(method)),
      url: first!.path,
      onRequest: refuse,
      handler: refuse,
    });
  }
}
