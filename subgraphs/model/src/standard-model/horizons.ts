import { DAY_MS } from '@loyalty/platform/base/clock';
import { std1 } from './std-1.ts';

/** Horizons that a caller requested. */
export interface RequestedHorizons {
  /** Days of the horizon of `purchase`. Default: 30. */
  readonly purchaseDays?: number;
  /** Days of the horizon of `longGap`. Default: 90. */
  readonly gapDays?: number;
}

/** The horizons of scores, in days. */
export type Horizons = Required<RequestedHorizons>;

export const horizonsOf = ({ purchaseDays = 30, gapDays = 90 }: RequestedHorizons): Horizons => ({
  purchaseDays,
  gapDays,
});

/** Days from `at` to the cutoff; 0 for unknown times and times after the cutoff. */
export const daysSince = (at: number, cutoffMs: number): number =>
  Number.isNaN(at) ? 0 : Math.max((cutoffMs - at) / DAY_MS, 0);

/** The factor that decays a cart count from `at` to the cutoff. */
export const cartDecay = (at: number, cutoffMs: number): number =>
  Math.exp((-Math.LN2 * daysSince(at, cutoffMs)) / std1.cart.halfLifeDays);
