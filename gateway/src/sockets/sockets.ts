import { clientAddress } from '@loyalty/platform/config/trusted-proxies';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Bounds, bounds as defaultBounds } from './bounds.ts';
import {
  createConnectionOperations,
  type SocketParts,
  type SocketServices,
} from './connection-operations.ts';
import { createOpenConnections } from './connections.ts';
import { answerStream } from './event-stream.ts';
import type { StreamType } from './event-stream-request.ts';
import { followSilentConnections } from './silent-connections.ts';
import { serveWebSockets } from './websocket.ts';

export interface Sockets {
  /** Answers the operation of an admitted request with a stream of its results. */
  stream(request: FastifyRequest, reply: FastifyReply, type: StreamType): Promise<unknown>;
}

/**
 * Serves the graph to sockets, on the server of an app, and to event streams. They end with the app in
 * limited time; running queries and mutations are answered first.
 */
export function addSockets(
  app: FastifyInstance,
  services: SocketServices,
  parts: SocketParts,
  bounds: Bounds = defaultBounds,
): Sockets {
  const { graph, authenticator, rateLimits, persisted, userCookie } = parts;
  const { live, log, clock, config } = services;
  const refusalFor = graph.refused.bind(graph);
  const connections = createOpenConnections({ authenticator, live, log, clock, refusalFor }, bounds);
  const operations = createConnectionOperations(services, parts, connections);
  const addressOf = clientAddress(config.TRUST_PROXY);
  serveWebSockets(app.server, { connections, operations, rateLimits, log, addressOf, userCookie }, bounds);
  app.decorateRequest('isStreamed', false);
  const endSilent = followSilentConnections(app.server);
  app.addHook('preClose', async () => {
    await connections.drain();
    endSilent();
  });
  return {
    stream(request, reply, type) {
      const streamParts = { connections, operations, graph, persisted, userCookie };
      return answerStream(request, reply, streamParts, { type, bounds });
    },
  };
}
