import { readableError } from '@loyalty/platform/http-errors';
import '@loyalty/platform/http-request';
import { AppError } from '@loyalty/platform/errors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { addUpload } from './custom/import-upload.ts';
import { appErrorOf, sendError } from './errors.ts';
import { missing, type Received, readVariables } from './input.ts';
import { readOperation } from './operation.ts';
import { replyShaper } from './reply.ts';
import type { Row } from './row.ts';
import { type AccessMap, accessesOf, rowRefusal } from './row-access.ts';

export interface GraphReply {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly GraphQLFormattedError[];
  /** Headers of the gateway that the client should see. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Runs an operation on the graph for a REST request; in process or over HTTP. */
export interface GraphDoor {
  execute(
    operation: {
      readonly query: string;
      readonly operationName: string;
      readonly variables: Record<string, unknown>;
    },
    request: FastifyRequest,
  ): Promise<GraphReply>;
}

export interface AdapterOptions {
  readonly rows: readonly Row[];
  /** The schema that clients of the graph see, with scalars that check values. */
  readonly schema: GraphQLSchema;
  readonly access: AccessMap;
  readonly graph: GraphDoor;
}

/** Methods that are refused on a documented path; HEAD comes with GET. */
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'] as const;

/** Serves the rows: each path that is documented, nothing else. */
export async function restAdapter(app: FastifyInstance, options: AdapterOptions): Promise<void> {
  acceptOnlyJson(app);
  app.setErrorHandler((error, request, reply) => {
    const readable = readableError(error);
    if (readable.category === 'INTERNAL_SERVER_ERROR')
      request.log.error({ err: error, requestId: request.id }, 'REST request failed');
    return sendError(request, reply, readable);
  });
  app.setNotFoundHandler((request) => {
    throw pathNotFound(request);
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.refused) throw request.refused;
    // The router lets an empty segment stand for an id; nothing is documented under it.
    if (Object.values(request.params as Received['params']).includes('')) throw pathNotFound(request);
  });
  for (const row of options.rows) addRow(app, row, options);
  refuseOtherMethods(app, options.rows);
}

function addRow(app: FastifyInstance, row: Row, { schema, graph, access }: AdapterOptions): void {
  const operation = readOperation(row.document, schema);
  const shape = replyShaper(operation.definition, schema);
  const accesses = accessesOf(operation, access);
  const refuse = async (request: FastifyRequest) => {
    const refused = rowRefusal(request, accesses);
    if (refused) throw refused;
  };
  if (row.fileField) {
    addUpload(app, { row, operation, shape, graph, refuse });
    return;
  }
  app.route({
    method: row.method,
    url: row.path,
    onRequest: refuse,
    async handler(request, reply) {
      const received = { params: request.params, query: request.query, body: request.body } as Received;
      const variables = readVariables(row, operation, received);
      const { data, errors, headers } = await graph.execute(
        { query: row.document, operationName: operation.name, variables },
        request,
      );
      if (headers) reply.headers(headers);
      if (errors?.[0]) throw appErrorOf(errors[0], operation, row.prefixed);
      if (data?.['reply'] === null || data?.['data'] === null) throw absent(row, received.params);
      const body = shape(data ?? {});
      return reply.status(statusOf(row, body)).send(body);
    },
  });
}

function statusOf(row: Row, body: unknown): number {
  const hasFailures = row.isBatch && Number((body as { failed?: unknown }).failed) > 0;
  return hasFailures ? 207 : (row.status ?? 200);
}

/** The 404 of a read that found nothing: the last id in the path is what was looked for. */
function absent(row: Row, params: Received['params']): AppError {
  const [name, value] = Object.entries(params).at(-1) ?? [];
  if (name === undefined || value === undefined)
    return new AppError('NOT_FOUND', 'NOT_FOUND', 'There is nothing here yet.');
  return missing(row, name, value);
}

function pathNotFound(request: FastifyRequest): AppError {
  const path = request.url.split('?', 1)[0];
  return new AppError('NOT_FOUND', 'PATH_NOT_FOUND', `There is no ${path} here. See /docs for every path.`);
}

/** Bodies are JSON; a POST that needs none may come with an empty one. */
function acceptOnlyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') done(null, undefined);
    else void parse(request, text as string, done);
  });
}

/** 405 with what is possible; rows whose paths differ only in names of parameters are one path. */
function refuseOtherMethods(app: FastifyInstance, rows: readonly Row[]): void {
  for (const [, [first, ...others]] of Map.groupBy(rows, ({ path }) => path.replace(/:\w+/g, ':'))) {
    const served = [first!, ...others].map(({ method }) => method);
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
