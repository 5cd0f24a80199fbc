import type { Log } from '../observe/log.ts';
import type { Live } from './live.ts';
import { createPostgresLive } from './live-postgres.ts';
import { createRedisLive } from './live-redis.ts';

/** Creates the carrier of messages between processes: Redis if it is configured, otherwise PostgreSQL. */
export function createLive(options: { databaseUrl: string; redisUrl?: string | undefined; log: Log }): Live {
  const onError = (err: unknown) => options.log.warn({ err }, 'live events are disturbed');
  return options.redisUrl
    ? createRedisLive({ url: options.redisUrl, onError })
    : createPostgresLive({ url: options.databaseUrl, onError });
}
