import { createApollo } from '@loyalty/gateway/apollo';
import { createGraph } from '@loyalty/gateway/graph';
import { addGraphQL } from '@loyalty/gateway/graphql-route';
import { clientGone, decorateRequests, requestId } from '@loyalty/gateway/requests';
import { loadSupergraph } from '@loyalty/gateway/supergraph';
import type { Transport } from '@loyalty/gateway/transport';
import { anonymous } from '@loyalty/platform/caller';
import { createLog } from '@loyalty/platform/log';
import fastify from 'fastify';
import { type SubgraphName, subgraphNames } from '../shop.ts';
import { subgraphs } from '../subgraphs.ts';
import { start } from './start.ts';

/** Ours with subgraphs in its own process; over HTTP the command `loyalty serve gateway --open` is measured. */
const log = createLog({ level: 'error', name: 'bench' });
const supergraph = loadSupergraph(start.supergraphSdl);
const transports = Object.fromEntries(subgraphNames.map((name) => [name, inProcess(name)]));
const graph = createGraph({ supergraph, transports, log, isOpen: true });
const app = fastify({ genReqId: requestId });
decorateRequests(app);
app.addHook('onRequest', async (request, reply) => {
  request.caller = anonymous;
  request.gone = clientGone(reply);
});
addGraphQL(app, await createApollo(graph, log, { isOpen: true }));
await app.listen({ port: start.port, host: '127.0.0.1' });

function inProcess(name: SubgraphName): Transport {
  const execute = subgraphs[name];
  return {
    prepare: (operation) => async (given, _from, representations) => {
      const variables = representations ? { ...given, representations: representations.list } : given;
      return execute({ ...operation, variables });
    },
    subscribe: () => Promise.reject(new Error('The shop has no events.')),
    async close() {},
  };
}
