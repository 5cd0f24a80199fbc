import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

/** How many requests are under way at once, and for how long each run lasts. */
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

/** Starts a bench server beside this file; it prints its addresses as one line of JSON. */
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

/** One request of a measure. */
export interface Shot {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/**
 * Requests per second of the product and of the bare handler: medians of three alternating runs.
 *
 * @param connections - requests that are under way at once
 */
export async function sideBySide(
  servers: Servers,
  shots: readonly Shot[],
  connections = CONNECTIONS,
): Promise<{ product: number; bare: number; ratio: number }> {
  const rates: { product: number[]; bare: number[] } = { product: [], bare: [] };
  const fireAt = (url: string, seconds: number) =>
    fire({ url, secret: servers.secret, connections }, shots, seconds);
  await fireAt(servers.product, 2);
  await fireAt(servers.bare, 2);
  for (let run = 0; run < RUNS; run += 1) {
    for (const which of ['product', 'bare'] as const)
      rates[which].push(await fireAt(servers[which], SECONDS));
  }
  const [product, bare] = [median(rates.product), median(rates.bare)];
  return { product, bare, ratio: product / bare };
}

/** Requests per second; every connection asks for something else at any time, so that nothing is shared. */
async function fire(
  { url, secret, connections }: { url: string; secret: string; connections: number },
  shots: readonly Shot[],
  duration: number,
): Promise<number> {
  let clients = 0;
  const result = await autocannon({
    url,
    connections,
    duration,
    setupClient(client) {
      const first = (clients++ * Math.ceil(shots.length / connections)) % shots.length;
      const own = [...shots.slice(first), ...shots.slice(0, first)];
      client.setRequests(own.map((shot) => ({ ...shot, headers: headersOf(secret, shot) })));
    },
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused and ${result.errors} failed requests at ${shots[0]?.path}`);
  return result.requests.average;
}

const headersOf = (secret: string, { body }: Shot) => ({
  authorization: `Bearer ${secret}`,
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
});

/** The value below which a share of all is. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
