import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { anonymous } from '@loyalty/platform/base/caller';
import { AppError, httpStatus, rateLimited } from '@loyalty/platform/base/errors';
import { hasPrivacySignal } from '@loyalty/platform/identity/privacy-signal';
import type { SessionCookie } from '@loyalty/platform/identity/session-cookie';
import type { Log } from '@loyalty/platform/observe/log';
import { type ExecutionResult, type FormattedExecutionResult, type GraphQLError, parse } from 'graphql';
import { type ConnectionInitMessage, handleProtocols, makeServer, type SubscribePayload } from 'graphql-ws';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { RateLimits } from '../admission/rate-limits.ts';
import type { Bounds } from './bounds.ts';
import { closeCodes, closeReason, type Ending, endingOf } from './close-codes.ts';
import { type Connection, type ConnectionTransport, endConnection } from './connection.ts';
import type { ConnectionOperations } from './connection-operations.ts';
import type { OpenConnections } from './connections.ts';
import { isFinal } from './credential-watch.ts';
import { isSlowConsumer, type OperationError, refusedOperation } from './operation-errors.ts';
import { presentedCredentials } from './presented-credentials.ts';
import { createOperationRun, type OperationRun } from './running-operation.ts';

interface SocketServerParts {
  readonly connections: OpenConnections;
  readonly operations: ConnectionOperations;
  readonly rateLimits: RateLimits;
  readonly log: Log;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly userCookie: SessionCookie;
}

/** The state of one socket. */
interface Client {
  readonly connection: Connection;
  readonly headers: IncomingHttpHeaders;
  /** Size of the current message in bytes. */
  messageBytes: number;
}

const PATH = /^\/graphql(\?|$)/;

/**
 * Serves `graphql-transport-ws` at /graphql of an HTTP server. Other upgrade requests are answered like
 * ordinary requests.
 *
 * Browsers allow any page to open a socket, so a client must send a key or a token. Browsers also add two
 * cookies. The cookie of a member is not used here. The cookie of a user is only used if the Origin of the
 * socket is our own and `connectionParams` request it.
 */
export function serveWebSockets(http: Server, parts: SocketServerParts, bounds: Bounds): void {
  const options: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: bounds.messageBytes,
    autoPong: false,
    closeTimeout: bounds.closingMs,
    handleProtocols: (protocols) => handleProtocols(protocols),
  };
  const upgrader = new WebSocketServer(options);
  const protocol = protocolServer(parts, bounds);
  const shouldUpgradeCallback = ({ url = '', headers }: IncomingMessage) =>
    headers.upgrade?.toLowerCase() === 'websocket' && PATH.test(url);
  Object.assign(http, { shouldUpgradeCallback });
  http.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const address = parts.addressOf(request);
    const refused = parts.connections.refusal(address);
    if (refused) return refuseUpgrade(socket, refused);
    upgrader.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = parts.connections.open(
        address,
        transportOf(webSocket, bounds),
        hasPrivacySignal(request.headers),
      );
      serve(webSocket, { connection, headers: request.headers, messageBytes: 0 }, protocol, parts, bounds);
    });
  });
}

function refuseUpgrade(socket: Duplex, { category, message, details }: AppError): void {
  socket.on('error', () => undefined);
  const headers = [
    `HTTP/1.1 ${httpStatus[category]} Refused`,
    ...(details.retryAfterSeconds ? [`Retry-After: ${details.retryAfterSeconds}`] : []),
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(message)}`,
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${message}`);
}

function transportOf(socket: WebSocket, { bufferedBytes }: Bounds): ConnectionTransport {
  let isAlive = true;
  socket.on('pong', () => {
    isAlive = true;
  });
  return {
    sendHeartbeat() {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      socket.ping();
    },
    isCongested: () => socket.bufferedAmount > bufferedBytes,
    end: (ending, error) => socket.close(closeCodes[ending].code, closeReason(ending, error)),
  };
}

type Protocol = ReturnType<typeof protocolServer>;

/** Connects one socket to the protocol, and reads no faster than the client reads. */
function serve(
  socket: WebSocket,
  client: Client,
  protocol: Protocol,
  parts: SocketServerParts,
  bounds: Bounds,
): void {
  const { connection } = client;
  const { connections, log } = parts;
  const isOpen = () => socket.readyState === socket.OPEN;
  const applyBackpressure = () => pauseWhileFull(socket, bounds);
  let receive: (text: string) => Promise<void> = async () => undefined;
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (text) => sendText(socket, text, bounds),
      close: (code) => endConnection(connection, endingOf(code)),
      onMessage: (handle) => {
        receive = handle;
      },
    },
    client,
  );
  socket.on('message', (data: Buffer, isBinary) => {
    // During a shutdown no operation starts; the client sends it again after it has reconnected.
    if (!isOpen() || connections.isDraining) return;
    if (isBinary) return endConnection(connection, 'MESSAGE_INVALID');
    client.messageBytes = data.length;
    // Only a message of a type that servers send can fail here.
    receive(String(data)).catch((err: unknown) => {
      log.info({ err }, 'a message on a socket could not be handled');
      endConnection(connection, 'MESSAGE_INVALID');
    });
  });
  socket.on('ping', (data: Buffer) => {
    if (isOpen()) socket.pong(data, false, applyBackpressure);
    applyBackpressure();
  });
  // After frames that violate the protocol, the socket closes itself with the right code.
  socket.on('error', () => undefined);
  socket.on('close', (code, reason) => {
    connections.closed(connection);
    closed(code, String(reason)).catch((err: unknown) =>
      log.warn({ err }, 'a closed socket could not be released'),
    );
  });
}

/** Resolves when the text was sent; the next result is fetched after that. */
function sendText(socket: WebSocket, text: string, bounds: Bounds): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve();
    socket.send(text, () => resolve(pauseWhileFull(socket, bounds)));
    pauseWhileFull(socket, bounds);
  });
}

/** Stops reading from a client that does not read, because its answers would accumulate. */
function pauseWhileFull(socket: WebSocket, { bufferedBytes }: Bounds): void {
  if (socket.bufferedAmount > bufferedBytes) socket.pause();
  else if (socket.isPaused) socket.resume();
}

/** Passed to the library instead of the client's document, because only the graph reads and checks that. */
const ANY_OPERATION = parse('subscription { results }');

function protocolServer(parts: SocketServerParts, bounds: Bounds) {
  return makeServer<ConnectionInitMessage['payload'], Client>({
    connectionInitWaitTimeout: bounds.initMs,
    onConnect: ({ connectionParams, extra }) => signInClient(extra, connectionParams, parts),
    onSubscribe: ({ extra }, _id, payload) => ({
      schema: undefined as never,
      document: ANY_OPERATION,
      contextValue: runOf(extra, payload, parts, bounds),
    }),
    subscribe: ({ contextValue }) => contextValue as AsyncIterableIterator<ExecutionResult>,
    // The graph formats errors.
    onNext: (_context, _id, _payload, _args, result) => result as FormattedExecutionResult,
    onError({ extra }, _id, _payload, [error]) {
      const { errors } = (error as GraphQLError).originalError as OperationError;
      if (isSlowConsumer(errors)) endConnection(extra.connection, 'SLOW_CONSUMER');
      return errors;
    },
  });
}

/** Signs a client in when it connects. This counts as one of its requests. */
async function signInClient(
  client: Client,
  params: ConnectionInitMessage['payload'],
  { connections, rateLimits, log, userCookie }: SocketServerParts,
): Promise<void> {
  const { connection } = client;
  try {
    const refused = await signInRefusal(client, params, connections, userCookie);
    const caller = refused ? anonymous : connection.caller;
    const { allowed } = await rateLimits.consume(caller, connection.address);
    if (refused) endConnection(connection, endingFor(refused), refused);
    else if (!allowed) endConnection(connection, 'TRY_AGAIN_LATER');
  } catch (err) {
    log.error({ err }, 'a client could not be signed in');
    endConnection(connection, 'INTERNAL');
  }
}

async function signInRefusal(
  { connection, headers }: Client,
  params: ConnectionInitMessage['payload'],
  connections: OpenConnections,
  userCookie: SessionCookie,
): Promise<AppError | null> {
  try {
    await connections.signIn(connection, presentedCredentials(params, headers, userCookie));
    return null;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function endingFor(refused: AppError): Ending {
  if (!isFinal(refused)) return 'TRY_AGAIN_LATER';
  return refused.category === 'FORBIDDEN' ? 'FORBIDDEN' : 'CREDENTIAL_REFUSED';
}

function runOf(
  { connection, messageBytes }: Client,
  payload: SubscribePayload,
  { operations }: SocketServerParts,
  bounds: Bounds,
): OperationRun {
  const refused = tooMuch(connection, messageBytes, bounds);
  if (refused) return refusedRun(refused);
  const { query, operationName, variables, extensions } = payload;
  const { idempotencyKey } = extensions ?? {};
  const { run } = operations.begin(connection, {
    sent: {
      query,
      operationName: operationName ?? undefined,
      variables: variables ?? undefined,
      extensions,
    },
    requestId: randomUUID(),
    idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : null,
    bytes: messageBytes,
    isCounted: false,
  });
  return run;
}

function refusedRun(error: AppError): OperationRun {
  const nothing = () => undefined;
  return createOperationRun(() => Promise.reject(refusedOperation(error)), nothing);
}

function tooMuch({ running }: Connection, bytes: number, bounds: Bounds): AppError | null {
  if (running.size >= bounds.operationsPerSocket) {
    return rateLimited(`At most ${bounds.operationsPerSocket} operations run on one socket at once.`, 1);
  }
  const held = [...running].reduce((sum, each) => sum + each.bytes, bytes);
  if (held <= bounds.operationBytesPerSocket) return null;
  return rateLimited('The operations of this socket hold too many variables. Complete some first.', 1);
}
