import { startWorker } from '@loyalty/worker/worker';
import { startProduct } from '../product.ts';
import { measureProcess } from './import-figures.ts';

/**
 * The whole product in one process, worker included, over a database that writes to disk as in production.
 * Prints its address as one line of JSON; when it stops, it prints its peak memory, and how
 * long it kept other requests waiting.
 */
const product = await startProduct({ fsync: true });
const { services, url, databaseUrl } = product;
const config = { ...services.config, DATABASE_URL: databaseUrl };
const worker = await startWorker({ ...services, config });
process.stdout.write(`${JSON.stringify({ url, database: databaseUrl })}\n`);

const figures = measureProcess();
process.once('SIGTERM', async () => {
  process.stdout.write(figures());
  await worker.stop();
  await product.close();
  process.exit(0);
});
