import { createDatabase } from '@loyalty/prisma/client';
import type { Services } from '../context.ts';

/** A job may wait longer for a connection than anybody waits for an answer. */
const CONNECTION_TIMEOUT_MS = 30_000;

/**
 * The same services with a database pool for jobs only, so that requests never wait behind jobs, nor jobs
 * behind requests; `close` ends that pool.
 */
export function jobServices<S extends Services>(
  services: S & { readonly config: { readonly DATABASE_URL: string } },
): { services: S; close(): Promise<void> } {
  const { DATABASE_URL, DATABASE_JOB_POOL_SIZE } = services.config;
  const database = createDatabase({
    url: DATABASE_URL,
    ...(DATABASE_JOB_POOL_SIZE && { poolSize: DATABASE_JOB_POOL_SIZE }),
    applicationName: 'loyalty-jobs',
    connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
  });
  const unwatch = services.metrics.watchPools('jobs', database);
  return {
    services: { ...services, database },
    async close() {
      unwatch();
      await database.close();
    },
  };
}
