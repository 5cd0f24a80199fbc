import { sideBySide, startServers } from './measure.ts';

/**
 * Compares REST, through adapter, gateway and subgraph, with a bare fastify handler that runs the same SQL.
 * Prints requests per second of both and their ratio: medians of three alternating runs with 16 connections,
 * 5 s each.
 */
const servers = await startServers('./rest.process.ts');
const paths = {
  'point read': servers.ids.map((id) => `/api/v2/stores/${id}`),
  'list of 50': servers.ids.map((_, offset) => `/api/v2/stores?limit=50&offset=${offset}`),
};
try {
  for (const [name, all] of Object.entries(paths)) {
    const requests = all.map((path) => ({ path }));
    const { product, bare, ratio } = await sideBySide(servers, requests);
    console.log(
      `${name}: product ${product.toFixed(0)}/s, bare handler ${bare.toFixed(0)}/s, ratio ${ratio.toFixed(3)}`,
    );
  }
} finally {
  servers.stop();
}
