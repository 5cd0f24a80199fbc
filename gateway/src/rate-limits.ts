import type { Caller } from '@loyalty/platform/caller';
import { createLimiter, type Limiter, type LimitState } from '@loyalty/platform/limiter';
import { LRUCache } from 'lru-cache';

const WINDOW_SECONDS = 60;
/** Requests a minute from one address without a credential. */
const ANONYMOUS_PER_MINUTE = 600;

export interface RateLimits {
  /** Counts one request of the caller, or of the address where nobody signed in. */
  consume(caller: Caller, address: string): Promise<LimitState>;
}

/** Requests a minute per key, member session and address; each workspace sets its own number. */
export function createRateLimits(redisUrl: string | undefined): RateLimits {
  // One limiter per distinct number: workspaces with the same number share it, their keys keep them apart.
  const limiters = new LRUCache<number, Limiter>({ max: 200, dispose: (limiter) => void limiter.close() });
  const limiterOf = (points: number): Limiter => {
    let limiter = limiters.get(points);
    if (!limiter) {
      const settings = { name: 'requests', points, durationSeconds: WINDOW_SECONDS };
      limiter = createLimiter(redisUrl ? { ...settings, redisUrl } : settings);
      limiters.set(points, limiter);
    }
    return limiter;
  };
  return {
    consume: (caller, address) =>
      caller.kind === 'ANONYMOUS'
        ? limiterOf(ANONYMOUS_PER_MINUTE).consume(`address:${address}`)
        : limiterOf(caller.limits.requestsPerMinute).consume(caller.actor),
  };
}
