import type { RequestedHorizons } from './horizons.ts';
import type { CartPool } from './statistics-block.ts';

/** Scores of many members, a column each; NaN where there is no score. */
export interface ScoreBlock {
  readonly size: number;
  readonly purchase: Float64Array;
  readonly longGap: Float64Array;
  readonly cartRemoval: Float64Array;
  readonly aliveChance: Float64Array;
  readonly gapSurvival: Float64Array;
  /** Bits of why a signal is degraded or unavailable; 0 where it is OK. */
  readonly purchaseReasons: Uint16Array;
  readonly longGapReasons: Uint16Array;
  readonly cartRemovalReasons: Uint16Array;
}

export interface ScoreOptions extends RequestedHorizons {
  readonly pool: CartPool;
}

/** Of that many members, none of whom has a score. */
export const emptyScores = (size: number): ScoreBlock => ({
  size,
  purchase: new Float64Array(size).fill(Number.NaN),
  longGap: new Float64Array(size).fill(Number.NaN),
  cartRemoval: new Float64Array(size).fill(Number.NaN),
  aliveChance: new Float64Array(size).fill(Number.NaN),
  gapSurvival: new Float64Array(size).fill(Number.NaN),
  purchaseReasons: new Uint16Array(size),
  longGapReasons: new Uint16Array(size),
  cartRemovalReasons: new Uint16Array(size),
});
