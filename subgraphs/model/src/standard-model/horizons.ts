import { DAY_MS } from '@loyalty/platform/base/clock';
import { std1 } from './std-1.ts';

/** Days ahead that a caller asked for. */
export interface RequestedHorizons {
  /** Days ahead that `purchase` is about; 30 by default. */
  readonly purchaseDays?: number;
  /** Days ahead that `longGap` is about; 90 by default. */
  readonly gapDays?: number;
}

/** Days ahead that scores are about. */
export type Horizons = Required<RequestedHorizons>;

export const horizonsOf = ({ purchaseDays = 30, gapDays = 90 }: RequestedHorizons): Horizons => ({
  purchaseDays,
  gapDays,
});

/** 0 for times that are unknown or not yet there. */
export const daysSince = (at: number, cutoffMs: number): number =>
  Number.isNaN(at) ? 0 : Math.max((cutoffMs - at) / DAY_MS, 0);

/** The factor that decays a count from `at` to the cutoff; the statistics of carts are decayed like this. */
export const cartDecay = (at: number, cutoffMs: number): number =>
  Math.exp((-Math.LN2 * daysSince(at, cutoffMs)) / std1.cart.halfLifeDays);
