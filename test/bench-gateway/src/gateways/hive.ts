import { createServer } from 'node:http';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';
import { unifiedGraphHandler } from '@graphql-hive/router-runtime';
import type { Transport } from '@graphql-mesh/transport-common';
import { type DocumentNode, print } from 'graphql';
import type { ShopSubgraph } from '../shop.ts';
import { subgraphs } from '../subgraphs.ts';
import { start } from './start.ts';

/**
 * Hive's gateway with the planner of its router: it looked faster than the default runtime, in single
 * runs on a busy machine. Its compiler plugin is left out, because together with this planner it answers
 * with errors.
 */
const runtime = createGatewayRuntime({
  supergraph: start.supergraphSdl,
  unifiedGraphHandler,
  logging: false,
  ...(start.isInProcess && { transports: { http: inProcess() } }),
});
createServer(runtime).listen(start.port, '127.0.0.1');

function inProcess(): Transport {
  const queries = new WeakMap<DocumentNode, string>();
  return {
    getSubgraphExecutor({ subgraphName }) {
      const execute = subgraphs[subgraphName.toLowerCase() as ShopSubgraph];
      return ({ document, variables }) => {
        const query = queries.get(document) ?? print(document);
        queries.set(document, query);
        return execute({ query, variables }) as never;
      };
    },
  };
}
