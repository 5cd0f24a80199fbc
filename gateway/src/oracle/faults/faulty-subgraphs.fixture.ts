import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, graphql, parse } from 'graphql';
import type { InjectedFault, Result } from './fault.fixture.ts';
import { facts, type Name, names, subgraphSdl } from './shop-subgraphs.fixture.ts';

/** Four running subgraphs; the id of a request determines the fault of its answer. */
export interface FaultySubgraphs {
  readonly supergraphSdl: string;
  readonly urls: Readonly<Record<Name, string>>;
  /** An address without a server. */
  readonly deadUrl: string;
  /** Returns the id of a request that one subgraph answers with a fault. */
  requestId(fault: InjectedFault, subgraph: Name): string;
  close(): Promise<void>;
}

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])';

export async function startFaultySubgraphs(faults: readonly InjectedFault[]): Promise<FaultySubgraphs> {
  const parts = names.map((name) => ({
    name,
    url: `http://${name}`,
    typeDefs: parse(link + subgraphSdl[name]),
  }));
  const { supergraphSdl, errors } = composeServices(parts);
  if (!supergraphSdl) throw new Error(errors!.map(({ message }) => message).join('\n'));
  const servers: Server[] = [];
  const listen = async (server: Server): Promise<string> => {
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
  };
  const urls = {} as Record<Name, string>;
  for (const { name, typeDefs } of parts) {
    const schema = buildSubgraphSchema([{ typeDefs, resolvers }]);
    const server = createServer(
      (request, response) => void answer(request, response, name as Name, schema, faults),
    );
    urls[name as Name] = await listen(server);
  }
  const dead = createServer();
  const deadUrl = await listen(dead);
  dead.close();
  return {
    supergraphSdl,
    urls,
    deadUrl,
    requestId: (fault, subgraph) => `${subgraph}.${faults.indexOf(fault)}`,
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

const resolvers = {
  Query: { items: () => facts.items, first: () => facts.first, viewer: () => facts.viewer },
  Item: { __resolveReference: ({ id }: { id: string }) => facts.items.find((item) => item.id === id) },
} as never;

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  name: Name,
  schema: GraphQLSchema,
  faults: readonly InjectedFault[],
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { query, variables } = JSON.parse(Buffer.concat(chunks).toString());
  const executed = await graphql({ schema, source: query, variableValues: variables });
  const text = JSON.stringify(executed);
  const send = (body: string | Buffer, { status = 200, headers = JSON_HEAD } = {}) =>
    void response.writeHead(status, headers).end(body);
  const [subgraph, index] = String(request.headers['x-request-id']).split('.');
  const fault = subgraph === name ? faults[Number(index)] : undefined;
  if (fault) fault.answer({ response, result: JSON.parse(text) as Result, text, send });
  else send(text);
}

const JSON_HEAD: Readonly<Record<string, string>> = { 'content-type': 'application/json' };
