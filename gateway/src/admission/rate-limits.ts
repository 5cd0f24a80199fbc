import type { Caller } from '@loyalty/platform/caller/caller';
import { createLimiter, type Limiter, type LimitState } from '@loyalty/platform/operations/limiter';
import { LRUCache } from 'lru-cache';

const WINDOW_SECONDS = 60;
/** Requests a minute from one address without a credential. */
const ANONYMOUS_PER_MINUTE = 600;

/** What is counted apart: requests to the model API's REST paths, and all others. */
export type Counted = 'requests' | 'model-requests';

export interface RateLimits {
  /** Counts one request of the caller, or of the address where nobody signed in. */
  consume(caller: Caller, address: string, counted?: Counted): Promise<LimitState>;
}

/** Requests a minute per key, member session and address; each workspace sets its own numbers. */
export function createRateLimits(redisUrl: string | undefined): RateLimits {
  // One limiter per distinct number: workspaces with the same number share it, their keys keep them apart.
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
    consume({ kind, actor, limits }, address, counted = 'requests') {
      if (kind === 'ANONYMOUS') return limiterOf(counted, ANONYMOUS_PER_MINUTE).consume(`address:${address}`);
      const isModel = counted === 'model-requests';
      return limiterOf(counted, isModel ? limits.modelRequestsPerMinute : limits.requestsPerMinute).consume(
        actor,
      );
    },
  };
}
