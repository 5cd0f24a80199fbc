import type { Caller } from '@loyalty/platform/base/caller';
import { createLimiter, type Limiter, type LimitState } from '@loyalty/platform/identity/limiter';
import { LRUCache } from 'lru-cache';

const WINDOW_SECONDS = 60;
/** Requests per minute from one address without a credential. */
const ANONYMOUS_PER_MINUTE = 600;
/** Requests per minute with one publishable key from one address. */
const VISITOR_PER_MINUTE = 600;

/** Counters: requests to the REST paths of the model API are counted separately. */
export type Counted = 'requests' | 'model-requests';

export interface RateLimits {
  /**
   * Counts one request of the caller, of an anonymous address, or of a publishable key at an address.
   *
   * @param calls - the number of calls to count
   */
  consume(caller: Caller, address: string, counted?: Counted, calls?: number): Promise<LimitState>;
  close(): void;
}

/**
 * Limits of requests per minute for each key, member session and address. Each workspace has its own limits.
 */
export function createRateLimits(redisUrl: string | undefined): RateLimits {
  // One limiter for each distinct number, shared by all workspaces with this number; it counts by key.
  const limiters = new LRUCache<string, Limiter>({ max: 200, dispose: (limiter) => void limiter.close() });
  const limiterOf = (name: Counted, points: number): Limiter => {
    const known = `${name}:${points}`;
    let limiter = limiters.get(known);
    if (!limiter) {
      const settings = { name, points, durationSeconds: WINDOW_SECONDS };
      limiter = createLimiter(redisUrl ? { ...settings, redisUrl } : settings);
      limiters.set(known, limiter);
    }
    return limiter;
  };
  return {
    consume({ kind, actor, limits }, address, counted = 'requests', calls = 1) {
      // Counted per address, so that one browser cannot use up the limit of all visitors of a website.
      if (kind === 'PUBLISHABLE')
        return limiterOf(counted, VISITOR_PER_MINUTE).consume(`${actor}:${address}`, calls);
      if (kind === 'ANONYMOUS')
        return limiterOf(counted, ANONYMOUS_PER_MINUTE).consume(`address:${address}`, calls);
      const isModel = counted === 'model-requests';
      return limiterOf(counted, isModel ? limits.modelRequestsPerMinute : limits.requestsPerMinute).consume(
        actor,
        calls,
      );
    },
    close: () => limiters.clear(),
  };
}
