import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { clientOf } from '../../harness/client.ts';
import { printFigures } from './import-figures.ts';

const file = fileURLToPath(new URL('./import.server.ts', import.meta.url));

/**
 * The whole product in a process of its own, with a client of it and one of its database. When it ends, it
 * prints the most memory that it had, and how long it kept other requests waiting.
 */
export async function startImportProduct() {
  // As scripts/run.mjs starts the product.
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
