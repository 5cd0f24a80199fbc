import type { ServerResponse } from 'node:http';
import { unauthenticated } from '@loyalty/platform/base/errors';
import { hasPrivacySignal } from '@loyalty/platform/identity/privacy-signal';
import '@loyalty/platform/http/http-request';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { print } from 'graphql-sse';
import type { OperationResult } from '../error-formatting.ts';
import type { Bounds } from './bounds.ts';
import type { Ending } from './close-codes.ts';
import { type Connection, type ConnectionTransport, endConnection } from './connection.ts';
import type { ConnectionOperations, SocketParts } from './connection-operations.ts';
import type { OpenConnections } from './connections.ts';
import { type StreamType, sentBy } from './event-stream-request.ts';
import { isSlowConsumer, type OperationError, refusedOperation } from './operation-errors.ts';
import { credentialsOf } from './presented-credentials.ts';
import type { OperationRun } from './running-operation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** True if the operation of an event stream was recorded at its start. */
    isStreamed: boolean;
  }
}

interface StreamParts {
  readonly connections: OpenConnections;
  readonly operations: ConnectionOperations;
  readonly graph: SocketParts['graph'];
  readonly persisted: SocketParts['persisted'];
  readonly userCookie: SocketParts['userCookie'];
}

/** How the results of an operation are written. */
interface StreamFormat {
  readonly contentType: string;
  readonly start: string;
  /** Clients ignore it. It makes proxies forward the headers, and keeps the connection in use. */
  readonly heartbeat: string;
  readonly next: (result: OperationResult) => string;
  readonly end: string;
}

/** A client reads a part when it has read the delimiter that follows. */
const DELIMITER = '\r\n--graphql';
const part = (body: unknown): string =>
  `\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(body)}${DELIMITER}`;

const formats: Readonly<Record<StreamType, StreamFormat>> = {
  'text/event-stream': {
    contentType: 'text/event-stream; charset=utf-8',
    start: '',
    heartbeat: ':\n\n',
    next: (result) => print({ event: 'next', data: result as never }),
    end: print({ event: 'complete', data: null }),
  },
  // Of Apollo Client and Apollo Router.
  'multipart/mixed': {
    contentType: 'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0"',
    start: DELIMITER,
    heartbeat: part({}),
    next: (result) => part({ payload: result }),
    end: '--\r\n',
  },
};

/**
 * Answers one operation as a stream of its results: as events, in the distinct connections mode of
 * graphql-sse, or in several parts. The server part of that library is not used: it fetches results as fast
 * as they come and buffers them for a slow client without a limit. Here, the next result is fetched after
 * the previous one was sent.
 *
 * Unlike other GraphQL over GET, these requests need no header against cross-site request forgery:
 * EventSource cannot send one. That is safe: mutations are refused by GET, and a cookie counts only with a
 * header that EventSource cannot send either, so the request of a foreign page is an anonymous one.
 *
 * @throws AppError before the stream begins: REQUEST_INVALID (400), RATE_LIMITED (429), SHUTTING_DOWN (503),
 *   and the refusals of persisted operations and of the authenticator
 */
export async function answerStream(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: StreamParts,
  { type, bounds }: { readonly type: StreamType; readonly bounds: Bounds },
): Promise<unknown> {
  const format = formats[type];
  const { connections, graph, operations, persisted } = parts;
  const given = sentBy(request);
  const sent = { ...given, query: await persisted.textOf(given) };
  if (request.method === 'GET' && graph.typeOf(sent) === 'mutation') return refuseMutation(reply);
  const refused = connections.refusal(request.address);
  if (refused) throw refused;
  const stream = newStream(reply.raw, format, bounds);
  const connection = connections.open(request.address, stream.transport, hasPrivacySignal(request.headers));
  reply.raw.once('close', () => connections.closed(connection));
  try {
    await connections.signIn(connection, credentialsOf(request.headers, parts.userCookie));
  } catch (error) {
    connections.closed(connection);
    throw error;
  }
  if (connection.isEnding) return answerAfterEnd(reply, connection, connections);
  request.isStreamed = true;
  const { id: requestId } = request;
  const { idempotencyKey = null } = request.graphRequest();
  const asked = { sent, requestId, idempotencyKey, bytes: 0, isCounted: true };
  const { run } = operations.begin(connection, asked);
  begin(reply, format);
  await stream.pipe(run, connection);
  return reply;
}

/** The client disconnected, or a shutdown began, after the request arrived. */
function answerAfterEnd(
  reply: FastifyReply,
  connection: Connection,
  connections: OpenConnections,
): FastifyReply {
  connections.closed(connection);
  if (reply.raw.destroyed) return reply.hijack();
  throw connections.refusal(connection.address) ?? ended();
}

function refuseMutation(reply: FastifyReply): FastifyReply {
  const message = 'A mutation changes something: send it by POST.';
  const errors = [{ message, extensions: { code: 'BAD_USER_INPUT', reason: 'MUTATION_BY_GET' } }];
  return reply.status(405).header('allow', 'POST').send({ errors });
}

function begin(reply: FastifyReply, { contentType }: StreamFormat): void {
  reply.hijack();
  reply.raw.on('error', () => undefined);
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': contentType,
    'cache-control': 'no-cache, no-transform',
    // Without this header, nginx would buffer events.
    'x-accel-buffering': 'no',
  });
}

function newStream(response: ServerResponse, format: StreamFormat, { closingMs }: Bounds) {
  // True if it ended without `complete`: the client connects and sends the operation again.
  let isCut = false;
  let current: OperationRun | null = null;

  const cut = () => {
    isCut = true;
    if (!response.headersSent) return;
    if (response.writableNeedDrain) response.destroy();
    else response.end();
  };
  const transport: ConnectionTransport = {
    sendHeartbeat: () => void (response.writableNeedDrain || response.write(format.heartbeat)),
    isCongested: () => response.writableNeedDrain,
    end(ending, error) {
      if (!isRefusal(ending)) return cut();
      current?.fail(refusedOperation(error ?? ended()));
      // For a client that does not read the error.
      setTimeout(() => response.writableFinished || response.destroy(), closingMs).unref();
    },
  };

  async function pipe(run: OperationRun, connection: Connection): Promise<void> {
    current = run;
    await write(response, format.start + format.heartbeat);
    try {
      for await (const result of run) await write(response, format.next(result));
    } catch (error) {
      const { errors } = error as OperationError;
      if (isSlowConsumer(errors)) endConnection(connection, 'SLOW_CONSUMER');
      else await write(response, format.next({ errors }));
    }
    if (isCut) return;
    await write(response, format.end);
    response.end();
  }
  return { transport, pipe };
}

const ended = () => unauthenticated('CREDENTIAL_INVALID', 'The credential does not hold any more.');

const isRefusal = (ending: Ending): boolean => ending === 'CREDENTIAL_REFUSED' || ending === 'FORBIDDEN';

/** Resolves when the text was sent, or the client has disconnected. */
function write(response: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (!response.writable || response.destroyed) return resolve();
    response.write(text, () => resolve());
  });
}
