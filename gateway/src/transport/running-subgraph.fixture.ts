import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, graphql, parse, subscribe } from 'graphql';
import { makeServer } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';

/** A foreign subgraph on its own port, over HTTP and `graphql-transport-ws`. */
interface StartedSubgraph {
  readonly url: string;
  /** Serves another schema from the next request on. */
  become(sdl: string, resolvers: object): void;
  close(): Promise<void>;
}

export async function startSubgraph(sdl: string, resolvers: object): Promise<StartedSubgraph> {
  let schema = build(sdl, resolvers);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', async () => {
      const { query, variables } = JSON.parse(Buffer.concat(chunks).toString());
      const result = await graphql({ schema, source: query, variableValues: variables });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(result));
    });
  });
  const sockets = new WebSocketServer({ server, path: '/graphql' });
  const protocol = makeServer({ schema: () => schema, subscribe } as never);
  sockets.on('connection', (socket: WebSocket) => {
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (data) => new Promise((resolve) => void socket.send(data, () => resolve())),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (take) => void socket.on('message', (data) => void take(String(data))),
      },
      {},
    );
    socket.once('close', (code, reason) => void closed(code, String(reason)));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    become(otherSdl, otherResolvers) {
      schema = build(otherSdl, otherResolvers);
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key"])\n`;

const build = (sdl: string, resolvers: object): GraphQLSchema =>
  buildSubgraphSchema([{ typeDefs: parse(LINK + sdl), resolvers: resolvers as never }]);
