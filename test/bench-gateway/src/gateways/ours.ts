import { createOpenGateway } from '@loyalty/gateway/open-gateway';
import type { Transport } from '@loyalty/gateway/transport/transport';
import { createLog } from '@loyalty/platform/observe/log';
import { createMetrics } from '@loyalty/platform/observe/metrics';
import { type DocumentNode, execute, parse } from 'graphql';
import type { ShopSubgraph } from '../shop.ts';
import { schemas } from '../subgraphs.ts';
import { start } from './start.ts';

/** Our gateway with subgraphs in its process. Over HTTP `loyalty serve gateway --open` is measured. */
const gateway = await createOpenGateway({
  supergraphSdl: start.supergraphSdl,
  connect: (name) => inProcess(name as ShopSubgraph),
  log: createLog({ level: 'error', name: 'bench' }),
  metrics: createMetrics(),
});
await gateway.app.listen({ port: start.port, host: '127.0.0.1' });

/** As the product calls a subgraph: plain graphql-js over documents that are parsed once. */
function inProcess(name: ShopSubgraph): Transport {
  const schema = schemas[name];
  return {
    prepare({ query }) {
      const document: DocumentNode = parse(query);
      return async (given, _from, representations) => {
        const variableValues = representations ? { ...given, representations: representations.list } : given;
        return execute({ schema, document, variableValues, contextValue: {} });
      };
    },
    subscribe: () => Promise.reject(new Error('The shop has no events.')),
    async close() {},
  };
}
