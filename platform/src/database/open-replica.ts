import { createDatabase, type Sql } from '@loyalty/prisma/client';
import type { Config } from '../config/config.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { createLastWrites } from './last-writes.ts';
import { createReplica, type Replica } from './replica.ts';

/**
 * Additional time for which a write is remembered beyond the maximum lag, because measuring the lag takes
 * time, too.
 */
const REMEMBERED_LONGER_MS = 2_000;

/**
 * Opens the replica at DATABASE_REPLICA_URL; returns null without this setting. The first list connects to
 * it.
 */
export function openReplica(options: {
  readonly config: Config;
  /** Name of the process. */
  readonly name: string;
  readonly primary: Sql;
  readonly metrics: Metrics;
  readonly log: Log;
}): Replica | null {
  const { config, name, primary, metrics, log } = options;
  const { DATABASE_REPLICA_URL: url, REDIS_URL: redisUrl } = config;
  if (!url || !redisUrl) return null;
  const replica = createDatabase({
    url,
    ...(config.DATABASE_POOL_SIZE && { poolSize: config.DATABASE_POOL_SIZE }),
    applicationName: `loyalty-${name}-lists`,
    connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
  });
  metrics.watchPools('replica', replica);
  const lagMsMax = config.DATABASE_REPLICA_LAG_SECONDS * 1_000;
  const lastWrites = createLastWrites(redisUrl, lagMsMax + REMEMBERED_LONGER_MS);
  return createReplica({ primary, replica, lastWrites, lagMsMax, metrics, log });
}

/** Short enough that the primary can still answer in time. */
const CONNECTION_TIMEOUT_MS = 1_000;
