import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

/** The number of concurrent requests, and the duration of each run. */
const CONNECTIONS = 16;
const SECONDS = 5;
const RUNS = 3;

/** What a bench server prints when it is ready. */
export interface Servers {
  readonly product: string;
  readonly bare: string;
  readonly secret: string;
  readonly ids: readonly string[];
}

/** Starts a bench server from a file in this folder. The server prints its addresses as one line of JSON. */
export async function startServers(file: string): Promise<Servers & { stop(): void }> {
  const server = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const servers = await new Promise<Servers>((resolve, reject) => {
    createInterface({ input: server.stdout }).once('line', (line) => resolve(JSON.parse(line) as Servers));
    server.once('exit', (code) => reject(new Error(`the bench server ended with ${code}`)));
  });
  return { ...servers, stop: () => void server.kill('SIGTERM') };
}

/** One request of a measurement. */
export interface BenchRequest {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/**
 * Measures requests per second of the product and of the bare handler: medians of three alternating runs.
 *
 * @param connections - the number of concurrent requests
 */
export async function sideBySide(
  servers: Servers,
  requests: readonly BenchRequest[],
  connections = CONNECTIONS,
): Promise<{ product: number; bare: number; ratio: number }> {
  const rates: { product: number[]; bare: number[] } = { product: [], bare: [] };
  const measuredAt = (url: string, seconds: number) =>
    requestsPerSecond({ url, secret: servers.secret, connections }, requests, seconds);
  await measuredAt(servers.product, 2);
  await measuredAt(servers.bare, 2);
  for (let run = 0; run < RUNS; run += 1) {
    for (const which of ['product', 'bare'] as const)
      rates[which].push(await measuredAt(servers[which], SECONDS));
  }
  const [product, bare] = [median(rates.product), median(rates.bare)];
  return { product, bare, ratio: product / bare };
}

/**
 * Measures requests per second. Connections send different requests at any time, so that no work is shared.
 */
async function requestsPerSecond(
  { url, secret, connections }: { url: string; secret: string; connections: number },
  requests: readonly BenchRequest[],
  duration: number,
): Promise<number> {
  let clients = 0;
  const result = await autocannon({
    url,
    connections,
    duration,
    setupClient(client) {
      const first = (clients++ * Math.ceil(requests.length / connections)) % requests.length;
      const own = [...requests.slice(first), ...requests.slice(0, first)];
      client.setRequests(own.map((request) => ({ ...request, headers: headersOf(secret, request) })));
    },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused and ${result.errors} failed requests at ${requests[0]?.path}`);
  return result.requests.average;
}

const headersOf = (secret: string, { body }: BenchRequest) => ({
  authorization: `Bearer ${secret}`,
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
});

/** The value below which the given share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
