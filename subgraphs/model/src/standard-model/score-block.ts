import type { RequestedHorizons } from './horizons.ts';
import type { StandardVersion } from './standard-versions.ts';
import type { CartPool, WorkspaceFigures } from './statistics-block.ts';

/** Scores of many members, one column for each score; NaN if there is no score. */
export interface ScoreBlock {
  readonly size: number;
  readonly purchase: Float64Array;
  readonly longGap: Float64Array;
  readonly cartRemoval: Float64Array;
  readonly aliveChance: Float64Array;
  readonly gapSurvival: Float64Array;
  /** Cycles of the member's own rhythm that it has missed; NaN without a rhythm. */
  readonly overdueCycles: Float64Array;
  /** Bits of the reasons why a signal is degraded or unavailable; 0 if it is OK. */
  readonly purchaseReasons: Uint16Array;
  readonly longGapReasons: Uint16Array;
  readonly cartRemovalReasons: Uint16Array;
}

export interface ScoreOptions extends RequestedHorizons {
  readonly version: StandardVersion;
  readonly pool: CartPool;
  /** Ignored by std-1. */
  readonly figures: WorkspaceFigures;
}

/** Returns a block of this many members without scores. */
export const emptyScores = (size: number): ScoreBlock => ({
  size,
  purchase: new Float64Array(size).fill(Number.NaN),
  longGap: new Float64Array(size).fill(Number.NaN),
  cartRemoval: new Float64Array(size).fill(Number.NaN),
  aliveChance: new Float64Array(size).fill(Number.NaN),
  gapSurvival: new Float64Array(size).fill(Number.NaN),
  overdueCycles: new Float64Array(size).fill(Number.NaN),
  purchaseReasons: new Uint16Array(size),
  longGapReasons: new Uint16Array(size),
  cartRemovalReasons: new Uint16Array(size),
});
