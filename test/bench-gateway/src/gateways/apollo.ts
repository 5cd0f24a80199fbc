process.env['APOLLO_TELEMETRY_DISABLED'] = 'true';
const { ApolloGateway, LocalGraphQLDataSource } = await import('@apollo/gateway');
const { ApolloServer } = await import('@apollo/server');
const { fastifyApolloHandler } = await import('@as-integrations/fastify');
const { default: fastify } = await import('fastify');
const { schemas } = await import('../subgraphs.ts');
const { start } = await import('./start.ts');

/** Apollo Server and Gateway with their own executor, on the same HTTP server as ours. */
const gateway = new ApolloGateway({
  supergraphSdl: start.supergraphSdl,
  ...(start.isInProcess && {
    buildService: ({ name }) => new LocalGraphQLDataSource(schemas[name as keyof typeof schemas]),
  }),
});
const apollo = new ApolloServer({ gateway });
await apollo.start();
const app = fastify();
app.route({ method: ['GET', 'POST'], url: '/graphql', handler: fastifyApolloHandler(apollo) });
await app.listen({ port: start.port, host: '127.0.0.1' });
