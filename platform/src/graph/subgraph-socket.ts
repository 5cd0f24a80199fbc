import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { CloseCode, type SubscribePayload } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { asyncIterator } from '../base/iterators.ts';
import type { Services } from '../context.ts';
import { createContext } from '../database/create-context.ts';
import { type SigningSecrets, verifySocket } from '../identity/caller-token.ts';
import { areSnapshots } from '../subscriptions/snapshots.ts';
import { readDocument, type Subgraph, type SubgraphRequest, subscribeSubgraph } from './subgraph.ts';
import { type Named, started } from './subscription-protocol.ts';

const MESSAGE_MAX_BYTES = 1024 * 1024;
const PING_EVERY_MS = 15_000;
/** Maximum time for a peer to answer a close frame, before its socket is terminated. */
const CLOSE_MS = 2_000;

/**
 * Serves the subscriptions of a subgraph to the gateway: `graphql-transport-ws` on /graphql. One socket
 * carries many callers. It must be opened with the gateway's token, otherwise it is closed with 4401. Each
 * subscription names its caller. The sockets close with the app.
 */
export function serveSubscriptions(
  app: FastifyInstance,
  subgraph: Subgraph,
  services: Services,
  secrets: SigningSecrets,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
  });
  const server = useServer<{ token?: string }>(
    {
      async onConnect({ connectionParams, extra }) {
        try {
          await verifySocket(connectionParams?.token, secrets);
          return true;
        } catch {
          (extra as { socket: WebSocket }).socket.close(
            CloseCode.Unauthorized,
            'Only the gateway may connect.',
          );
          return false;
        }
      },
      onSubscribe: (_ctx, _id, payload) => read(subgraph, payload),
      // Every message is run as a subscription, so that no other operation can be run over a socket.
      execute: (args) => subscribe(subgraph, services, args),
      subscribe: (args) => subscribe(subgraph, services, args),
    },
    sockets,
    PING_EVERY_MS,
  );
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (request.url !== '/graphql') return refuse(socket);
    sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request));
  });
  app.addHook('preClose', async () => {
    const cut = setTimeout(() => sockets.clients.forEach((each) => void each.terminate()), CLOSE_MS);
    await server.dispose();
    clearTimeout(cut);
  });
}

function refuse(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
}

interface Asked {
  readonly request: SubgraphRequest;
  readonly named: Named;
}

/** Converts a message to the execution arguments of graphql-ws, or returns its errors. */
function read(subgraph: Subgraph, payload: SubscribePayload): ExecutionArgs | readonly GraphQLError[] {
  const named = payload.extensions as Partial<Named> | null | undefined;
  if (!named?.caller || !named.requestId) {
    return [new GraphQLError('Name the caller.', { extensions: { code: 'UNAUTHENTICATED' } })];
  }
  const document = readDocument(subgraph, payload.query);
  if (!('kind' in document)) return document;
  const { query, operationName, variables } = payload;
  const request = { query, operationName: operationName ?? undefined, variables: variables ?? undefined };
  return { schema: subgraph.schema, document, contextValue: { request, named } };
}

async function subscribe(
  subgraph: Subgraph,
  services: Services,
  { contextValue }: ExecutionArgs,
): Promise<AsyncIterableIterator<ExecutionResult> | ExecutionResult> {
  const { request, named } = contextValue as Asked;
  const answer = await subscribeSubgraph(subgraph, request, createContext(services, named));
  return 'next' in answer ? startingWith(started(areSnapshots(answer)), answer) : answer;
}

/** Returns the iterator with an additional first value. */
function startingWith<T>(
  first: T,
  rest: AsyncIterableIterator<T, undefined>,
): AsyncIterableIterator<T, undefined> {
  let isFirst = true;
  const next = async (): Promise<IteratorResult<T, undefined>> => {
    if (!isFirst) return rest.next();
    isFirst = false;
    return { done: false, value: first };
  };
  return asyncIterator(next, async () => void (await rest.return!()));
}
