import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { type AppError, rateLimited } from '../errors.ts';

/** Where a key stands after a call. */
export interface LimitState {
  allowed: boolean;
  /** Points in a window. */
  limit: number;
  remaining: number;
  /** Seconds until the window ends and `remaining` is `limit` again. */
  resetSeconds: number;
  windowSeconds: number;
}

/** The refusal of a request over the limit of a minute. */
export const rateLimitRefusal = ({ limit, resetSeconds }: LimitState): AppError =>
  rateLimited(`More than ${limit} requests in a minute. Wait ${resetSeconds} s.`, resetSeconds);

export interface Limiter {
  /**
   * Takes `cost` points of the key's window, which starts with its first call. Never throws for want of
   * Redis: each process then counts for itself until Redis is back.
   */
  consume(key: string, cost?: number): Promise<LimitState>;
  close(): Promise<void>;
}

/**
 * Creates a rate limiter with fixed windows, in memory or, for several processes, in Redis.
 *
 * @param options.name - lower case letters, digits and `-`: the policy's name in headers and Redis keys
 * @param options.points - allowed in a window
 * @param options.redis - a connection to share; with `redisUrl` the limiter makes its own
 */
export function createLimiter(options: {
  name: string;
  points: number;
  durationSeconds: number;
  redis?: Redis;
  redisUrl?: string;
}): Limiter {
  const { name, points, durationSeconds } = options;
  assertPolicyName(name);
  const ownRedis = options.redisUrl && !options.redis ? connect(options.redisUrl) : undefined;
  const limiter = choose(options.redis ?? ownRedis, {
    keyPrefix: `limit:${name}`,
    points,
    duration: durationSeconds,
  });

  return {
    async consume(key, cost = 1) {
      let allowed = true;
      const result = await limiter.consume(key, cost).catch((refusal: unknown) => {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        allowed = false;
        return refusal;
      });
      return {
        allowed,
        limit: points,
        remaining: Math.max(0, result.remainingPoints),
        resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1_000)),
        windowSeconds: durationSeconds,
      };
    },
    async close() {
      ownRedis?.disconnect();
    },
  };
}

function choose(
  redis: Redis | undefined,
  settings: { keyPrefix: string; points: number; duration: number },
): RateLimiterAbstract {
  const memory = new RateLimiterMemory(settings);
  if (!redis) return memory;
  return new RateLimiterRedis({
    ...settings,
    storeClient: redis,
    // Without this a call waits for the connection to come back.
    rejectIfRedisNotReady: true,
    insuranceLimiter: memory,
    // A key that is over its limit is refused from memory: an attack does not reach Redis.
    inMemoryBlockOnConsumed: settings.points + 1,
  });
}

function connect(url: string): Redis {
  const redis = new Redis(url, {
    connectionName: 'loyalty-limiter',
    // A limit is checked before every request: rather count in memory than wait.
    commandTimeout: 250,
    maxRetriesPerRequest: 1,
    retryStrategy: (failed) => Math.min(2_000, 100 * failed),
  });
  // Each failure is answered by the insurance limiter; without a listener it would end the process.
  redis.on('error', () => {});
  return redis;
}

/**
 * Returns the response headers that show a client its limit, in the structured form of
 * draft-ietf-httpapi-ratelimit-headers-11 (May 2026), and `Retry-After` (RFC 9110) when it was refused.
 *
 * @param name - of the policy; lower case letters, digits and `-`
 */
export function rateLimitHeaders(state: LimitState, name: string): Record<string, string> {
  assertPolicyName(name);
  const headers: Record<string, string> = {
    'RateLimit-Policy': `"${name}";q=${state.limit};w=${state.windowSeconds}`,
    RateLimit: `"${name}";r=${state.remaining};t=${state.resetSeconds}`,
  };
  // Never earlier than the end of the window that `t` names, as section 6 of the draft asks.
  if (!state.allowed) headers['Retry-After'] = `${state.resetSeconds}`;
  return headers;
}

function assertPolicyName(name: string): void {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) throw new RangeError(`"${name}" cannot be the name of a limit.`);
}
