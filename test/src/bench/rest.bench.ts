import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

/**
 * REST through adapter, gateway and subgraph, beside a bare fastify handler with the same SQL.
 * Prints requests per second of both and their ratio; medians of three alternating runs, 16 connections, 5 s
 * each.
 */
const RUNS = 3;
const SECONDS = 5;
const CONNECTIONS = 16;

interface Servers {
  readonly product: string;
  readonly bare: string;
  readonly secret: string;
  readonly ids: readonly string[];
}

const server = spawn(process.execPath, [fileURLToPath(new URL('./rest.server.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const servers = await new Promise<Servers>((resolve, reject) => {
  createInterface({ input: server.stdout }).once('line', (line) => resolve(JSON.parse(line) as Servers));
  server.once('exit', (code) => reject(new Error(`the bench server ended with ${code}`)));
});

// Every connection asks for something else at any time, so that no answer is shared between two requests.
const paths = {
  'point read': servers.ids.map((id) => `/api/v2/stores/${id}`),
  'list of 50': servers.ids.map((_, offset) => `/api/v2/stores?limit=50&offset=${offset}`),
};
try {
  for (const [name, all] of Object.entries(paths)) {
    const rates: { product: number[]; bare: number[] } = { product: [], bare: [] };
    await fire(servers.product, all, 2);
    await fire(servers.bare, all, 2);
    for (let run = 0; run < RUNS; run += 1) {
      for (const which of ['product', 'bare'] as const)
        rates[which].push(await fire(servers[which], all, SECONDS));
    }
    const [product, bare] = [median(rates.product), median(rates.bare)];
    console.log(
      `${name}: product ${product.toFixed(0)}/s, bare handler ${bare.toFixed(0)}/s, ratio ${(product / bare).toFixed(3)}`,
    );
  }
} finally {
  server.kill('SIGTERM');
}

async function fire(url: string, paths: readonly string[], duration: number): Promise<number> {
  const headers = { authorization: `Bearer ${servers.secret}` };
  let clients = 0;
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration,
    headers,
    setupClient(client) {
      const first = (clients++ * Math.floor(paths.length / CONNECTIONS)) % paths.length;
      client.setRequests(
        [...paths.slice(first), ...paths.slice(0, first)].map((path) => ({ path, headers })),
      );
    },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused and ${result.errors} failed requests at ${paths[0]}`);
  return result.requests.average;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
