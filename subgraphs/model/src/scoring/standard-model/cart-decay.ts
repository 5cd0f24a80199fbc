import { DAY_MS } from '@loyalty/platform/clock';
import { std1 } from '../standard-versions/std-1.ts';

/** The factor that decays a count from `at` to the cutoff; the statistics of carts are decayed like this. */
export const cartDecay = (at: number, cutoffMs: number): number =>
  Math.exp((-Math.LN2 * daysSince(at, cutoffMs)) / std1.cart.halfLifeDays);

/** 0 for times that are unknown or not yet there. */
export const daysSince = (at: number, cutoffMs: number): number =>
  Number.isNaN(at) ? 0 : Math.max((cutoffMs - at) / DAY_MS, 0);
