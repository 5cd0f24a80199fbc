import type { AddressInfo } from 'node:net';
import { composeServices } from '@apollo/composition';
import { type Caller, systemCaller } from '@loyalty/platform/base/caller';
import { readTypeDefs } from '@loyalty/platform/graph/type-defs';
import { clientGone } from '@loyalty/platform/http/http-request';
import { createLog } from '@loyalty/platform/observe/log';
import fastify from 'fastify';
import { parse } from 'graphql';
import { createGraph } from '../graph.ts';
import type { PersistedOperations } from '../operations/persisted.ts';
import { loadSupergraph, type Supergraph } from '../supergraph/supergraph.ts';
import { answering } from '../transport/transport.fixture.ts';
import { createApollo } from './apollo.ts';
import { addGraphQL } from './graphql-route.ts';
import { decorateRequests } from './requests.ts';

const sdl = `
  type Query { greeting: String @access secret: String @access(callers: ["system"]) }
  type Mutation { greet: String @access }`;

function shop(): Supergraph {
  const prelude = readTypeDefs('/nonexistent');
  const typeDefs = { ...prelude, definitions: [...prelude.definitions, ...parse(sdl).definitions] };
  const { supergraphSdl, errors } = composeServices([{ name: 'shop', url: 'subgraph://shop', typeDefs }]);
  if (!supergraphSdl) throw errors![0];
  return loadSupergraph(supergraphSdl);
}

const caller: Caller = {
  ...systemCaller('test', { workspaceId: 'w', mode: 'LIVE' }),
  kind: 'USER',
  role: 'OWNER',
  actor: 'user:1',
};

/** Starts `/graphql` on a port, over a subgraph with greetings; every caller is signed in. */
export async function startRoute(persisted: PersistedOperations) {
  const asked: string[] = [];
  const transports = {
    shop: answering(({ query }) => {
      asked.push(query);
      return { data: { greeting: 'hello', greet: 'hello' } };
    }),
  };
  const log = createLog({ level: 'silent', name: 'test' });
  const graph = createGraph({ supergraph: shop(), transports, log });
  const apollo = await createApollo(graph, log, { persisted });
  const app = fastify();
  decorateRequests(app);
  app.addHook('onRequest', async (request, reply) => {
    request.caller = caller;
    request.address = request.ip;
    request.gone = clientGone(reply);
  });
  const stream = () => Promise.reject(new Error('Nobody asks for event streams here.'));
  addGraphQL(app, { graph, apollo, persisted, sockets: { stream } });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/graphql`;
  return {
    url,
    /** The queries that the subgraph received. */
    asked,
    async post(body: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    get: (parameters: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
      fetch(`${url}?${new URLSearchParams(parameters)}`, {
        headers: { 'apollo-require-preflight': '1', ...headers },
      }),
    async close() {
      const closing = app.close();
      // Answers that a test did not read completely would keep their connections open.
      app.server.closeAllConnections();
      await closing;
      await apollo.stop();
    },
  };
}
