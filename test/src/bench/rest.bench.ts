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
  readonly id: string;
}

const server = spawn(process.execPath, [fileURLToPath(new URL('./rest.server.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const servers = await new Promise<Servers>((resolve, reject) => {
  createInterface({ input: server.stdout }).once('line', (line) => resolve(JSON.parse(line) as Servers));
  server.once('exit', (code) => reject(new Error(`the bench server ended with ${code}`)));
});

const paths = { 'point read': `/api/v2/stores/${servers.id}`, 'list of 50': '/api/v2/stores?limit=50' };
try {
  for (const [name, path] of Object.entries(paths)) {
    const rates: { product: number[]; bare: number[] } = { product: [], bare: [] };
    await fire(servers.product, path, 2);
    await fire(servers.bare, path, 2);
    for (let run = 0; run < RUNS; run += 1) {
      for (const which of ['product', 'bare'] as const)
        rates[which].push(await fire(servers[which], path, SECONDS));
    }
    const [product, bare] = [median(rates.product), median(rates.bare)];
    console.log(
      `${name}: product ${product.toFixed(0)}/s, bare handler ${bare.toFixed(0)}/s, ratio ${(product / bare).toFixed(3)}`,
    );
  }
} finally {
  server.kill('SIGTERM');
}

async function fire(url: string, path: string, duration: number): Promise<number> {
  const headers = { authorization: `Bearer ${servers.secret}` };
  const result = await autocannon({ url: url + path, connections: CONNECTIONS, duration, headers });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused and ${result.errors} failed requests at ${path}`);
  return result.requests.average;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
