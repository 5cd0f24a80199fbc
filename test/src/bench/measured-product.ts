import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { clientOf } from '../harness/client.ts';

const file = fileURLToPath(new URL('./measured-product.process.ts', import.meta.url));

export interface ProcessFigures {
  readonly maxRssMegabytes: number;
  /** How long the event loop was blocked, so that another request had to wait. */
  readonly delayMs: { readonly p99: number; readonly max: number };
}

/**
 * Starts the whole product in a process of its own, with a client of the product and one of its database. At
 * its end the product prints its peak memory and how long it kept other requests waiting.
 */
export async function startMeasuredProduct() {
  // The same options with which scripts/run.mjs starts the product.
  const server = spawn(process.execPath, ['--max-semi-space-size=16', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const { url, database } = JSON.parse((await lines.next()).value as string) as {
    url: string;
    database: string;
  };
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  return {
    ...clientOf(url),
    client,
    async end(): Promise<void> {
      await client.end();
      server.kill('SIGTERM');
      const { value } = await lines.next();
      if (value) printFigures(value);
      await once(server, 'exit');
    },
  };
}

function printFigures(line: string): void {
  const { maxRssMegabytes, delayMs } = JSON.parse(line) as ProcessFigures;
  const { p99, max } = delayMs;
  console.log(`most memory of the process: ${maxRssMegabytes.toFixed(0)} MB`);
  console.log(`other requests waited: 99th percentile ${p99.toFixed(0)} ms, at most ${max.toFixed(0)} ms`);
}
