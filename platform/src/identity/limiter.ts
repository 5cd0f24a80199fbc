import { Redis } from 'ioredis';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { type AppError, rateLimited } from '../base/errors.ts';

/** State of a key after a call. */
export interface LimitState {
  allowed: boolean;
  /** Points per window. */
  limit: number;
  remaining: number;
  /** Seconds until the window ends and `remaining` equals `limit` again. */
  resetSeconds: number;
  windowSeconds: number;
}

/** The refusal of a request over the limit of a minute. */
export const rateLimitRefusal = ({ limit, resetSeconds }: LimitState): AppError =>
  rateLimited(`More than ${limit} requests in a minute. Wait ${resetSeconds} s.`, resetSeconds);

export interface Limiter {
  /**
   * Takes `cost` points from the window of the key; a window starts with the first call. Never throws if
   * Redis is missing: each process then counts for itself until Redis is available again.
   */
  consume(key: string, cost?: number): Promise<LimitState>;
  close(): Promise<void>;
}

/**
 * Creates a rate limiter with fixed windows, in memory or, for several processes, in Redis.
 *
 * @param options.name - name of the policy in headers and Redis keys: lower case letters, digits and `-`
 * @param options.points - points per window
 * @param options.redis - a shared connection; with `redisUrl` the limiter opens its own
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
    // Without this option, a call would wait for a lost connection.
    rejectIfRedisNotReady: true,
    insuranceLimiter: memory,
    // A key over its limit is refused from memory, so that an attack does not reach Redis.
    inMemoryBlockOnConsumed: settings.points + 1,
  });
}

function connect(url: string): Redis {
  const redis = new Redis(url, {
    connectionName: 'loyalty-limiter',
    // A limit is checked before every request, so counting in memory is better than waiting.
    commandTimeout: 250,
    maxRetriesPerRequest: 1,
    retryStrategy: (failed) => Math.min(2_000, 100 * failed),
  });
  // Failures are handled by the insurance limiter; without a listener, the event would end the process.
  redis.on('error', () => {});
  return redis;
}

/**
 * Returns the response headers with the state of the limit, in the structured form of
 * draft-ietf-httpapi-ratelimit-headers-11 (May 2026), and `Retry-After` (RFC 9110) after a refusal.
 *
 * @param name - name of the policy: lower case letters, digits and `-`
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
