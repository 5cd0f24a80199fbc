import { createDatabase, type Sql } from '@loyalty/prisma/client';
import type { Config } from '../config/config.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { createLastWrites } from './last-writes.ts';
import { createReplica, type Replica } from './replica.ts';

/** A write is remembered until each replica that may be read has it; measuring the lag takes time, too. */
const REMEMBERED_LONGER_MS = 2_000;

/** The replica at DATABASE_REPLICA_URL; null without it. Nothing connects to it before the first list. */
export function openReplica(options: {
  readonly config: Config;
  /** Of the process. */
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

/** The primary must still be able to answer in time. */
const CONNECTION_TIMEOUT_MS = 1_000;
