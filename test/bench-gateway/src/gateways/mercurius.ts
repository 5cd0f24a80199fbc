import gateway from '@mercuriusjs/gateway';
import fastify, { type FastifyPluginAsync } from 'fastify';
import { shop, subgraphNames } from '../shop.ts';
import { subgraphUrl } from '../supergraph.ts';
import { start } from './start.ts';

/**
 * Mercurius' gateway with its compiler (`jit`) and a connection for each of the bench's clients: of the
 * settings that were tried (10 connections, batched queries) these looked fastest, in single runs on a
 * busy machine. It composes by itself.
 */
const app = fastify();
// Its types describe an ES module, which it is not.
app.register(gateway as unknown as FastifyPluginAsync<Record<string, unknown>>, {
  jit: 1,
  gateway: {
    services: subgraphNames.map((name) => ({
      name,
      url: subgraphUrl(start.subgraphsPort, name),
      schema: shop[name].sdl,
      mandatory: true,
      connections: 64,
    })),
  },
});
await app.listen({ port: start.port, host: '127.0.0.1' });
