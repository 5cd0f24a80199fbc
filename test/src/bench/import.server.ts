import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDoors, localTransports } from '@loyalty/cli/compose-process';
import { subgraphs } from '@loyalty/cli/subgraphs';
import { loadConfig } from '@loyalty/platform/config';
import { localPeers } from '@loyalty/platform/peers';
import { createServices } from '@loyalty/platform/services';
import { startEmbeddedPostgres } from '@loyalty/prisma/embedded-postgres';
import { applyMigrations } from '@loyalty/prisma/migrate';
import { temporaryDataDir } from '@loyalty/prisma/postgres-data-dir';
import { startWorker } from '@loyalty/worker/worker';

/**
 * The whole product in one process, worker included, over a database that writes to disk as in production.
 * Prints its address as one line of JSON; told to stop it prints the most memory that it ever had.
 */
const dataDir = temporaryDataDir('loyalty-bench-');
const directory = await mkdtemp(join(tmpdir(), 'loyalty-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir });
await applyMigrations(postgres.url);
const env = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'error',
  DATABASE_URL: postgres.url,
  LOYALTY_MASTER_KEYS: `bench:${Buffer.alloc(32, 7).toString('base64')}`,
};
const config = { ...loadConfig(env, directory), DATABASE_URL: postgres.url };
const services = await createServices(config, 'bench', { peers: localPeers(subgraphs) });
const gateway = await createDoors(services, localTransports(services));
const worker = await startWorker({ ...services, config });
const url = await gateway.app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${JSON.stringify({ url, database: postgres.url })}\n`);

process.once('SIGTERM', async () => {
  process.stdout.write(`${JSON.stringify({ maxRssMegabytes: process.resourceUsage().maxRSS / 1024 })}\n`);
  await worker.stop();
  await gateway.close();
  await services.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
  await rm(directory, { recursive: true, force: true });
  process.exit(0);
});
