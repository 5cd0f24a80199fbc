import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Follows the connections of a server that have not asked for anything yet: browsers open such in advance.
 * Closing the server waits for them, as it ends only those that are idle after a request.
 *
 * @returns ends them
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
