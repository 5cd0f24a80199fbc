import { std1 } from '../standard-versions/std-1.ts';
import { daysSince } from './days-since.ts';

/** The factor that decays a count from `at` to the cutoff; the statistics of carts are decayed like this. */
export const cartDecay = (at: number, cutoffMs: number): number =>
  Math.exp((-Math.LN2 * daysSince(at, cutoffMs)) / std1.cart.halfLifeDays);
