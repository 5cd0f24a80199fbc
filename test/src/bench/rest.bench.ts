import { sideBySide, startServers } from './measure.ts';

/**
 * REST through adapter, gateway and subgraph, beside a bare fastify handler with the same SQL.
 * Prints requests per second of both and their ratio; medians of three alternating runs, 16 connections, 5 s
 * each.
 */
const servers = await startServers('./rest.process.ts');
const paths = {
  'point read': servers.ids.map((id) => `/api/v2/stores/${id}`),
  'list of 50': servers.ids.map((_, offset) => `/api/v2/stores?limit=50&offset=${offset}`),
};
try {
  for (const [name, all] of Object.entries(paths)) {
    const shots = all.map((path) => ({ path }));
    const { product, bare, ratio } = await sideBySide(servers, shots);
    console.log(
      `${name}: product ${product.toFixed(0)}/s, bare handler ${bare.toFixed(0)}/s, ratio ${ratio.toFixed(3)}`,
    );
  }
} finally {
  servers.stop();
}
