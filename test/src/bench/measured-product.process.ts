import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startWorker } from '@loyalty/worker/worker';
import type { ProcessFigures } from './measured-product.ts';
import { startProduct } from './product.ts';

/**
 * Runs the whole product, worker included, in one process, over a database that writes to disk as in
 * production. It prints its address as one line of JSON. When it stops, it prints its peak memory and how
 * long it kept other requests waiting.
 */
const product = await startProduct({ fsync: true });
const { services, url, databaseUrl } = product;
const config = { ...services.config, DATABASE_URL: databaseUrl };
const worker = await startWorker({ ...services, config });
process.stdout.write(`${JSON.stringify({ url, database: databaseUrl })}\n`);

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const ms = (nanoseconds: number) => nanoseconds / 1e6 - RESOLUTION_MS;

process.once('SIGTERM', async () => {
  const figures: ProcessFigures = {
    maxRssMegabytes: process.resourceUsage().maxRSS / 1024,
    delayMs: { p99: ms(delay.percentile(99)), max: ms(delay.max) },
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  await worker.stop();
  await product.close();
  process.exit(0);
});
