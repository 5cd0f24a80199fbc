import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Tracks connections that have sent no request yet; browsers open some in advance. Closing a server waits for
 * them, because it ends only connections that are idle after a request.
 *
 * @returns a function that closes them
 */
export function followSilentConnections(server: Server): () => void {
  const silent = new Set<Socket>();
  const onRequest = ({ socket }: IncomingMessage) => void silent.delete(socket);
  server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('request', onRequest);
  server.on('upgrade', onRequest);
  return () => {
    for (const socket of silent) socket.destroy();
  };
}
