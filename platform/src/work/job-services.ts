import { createDatabase } from '@loyalty/prisma/client';
import type { Services } from '../context.ts';

/** Longer than the timeout of requests, because no client waits for a job. */
const CONNECTION_TIMEOUT_MS = 30_000;

/**
 * Returns the same services with a separate database pool for jobs, so that requests never wait for jobs, nor
 * jobs for requests. `close` closes that pool.
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
