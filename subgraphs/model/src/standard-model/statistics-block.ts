import type { IntervalPool } from '../numerics/member-rhythm.ts';

/**
 * The input of the standard model: statistics of many members, one column for each statistic, one row for
 * each member.
 */
export interface StatisticsBlock {
  readonly size: number;
  /** Number of days with a purchase; 0 without one. */
  readonly purchaseDays: Int32Array;
  /**
   * First and last purchase day, in days since 1970-01-01 of the workspace's time zone; 0 without a purchase.
   */
  readonly firstDay: Int32Array;
  readonly lastDay: Int32Array;
  /**
   * Sums over the intervals between purchase days: of logarithms, of squared logarithms, and of squared days.
   */
  readonly logSum: Float64Array;
  readonly logSquares: Float64Array;
  readonly daySquares: Float64Array;
  /** A bit for each calendar month with a purchase, January lowest; all bits if the months are unknown. */
  readonly purchaseMonths: Uint16Array;
  /** Number of behavioral events. */
  readonly events: Int32Array;
  readonly sessions: Int32Array;
  readonly buySessions: Int32Array;
  /** Milliseconds since 1970; NaN without an event. */
  readonly firstEventMs: Float64Array;
  readonly lastEventMs: Float64Array;
  /**
   * Cart additions and removals, decayed with a half-life of 30 days to `lastCartMs`, which is NaN without
   * one.
   */
  readonly decayedAdds: Float64Array;
  readonly decayedRemoves: Float64Array;
  readonly lastCartMs: Float64Array;
  /** Purchase days, decayed with a half-life of 30 days to `lastDay`. */
  readonly decayedOrders: Float64Array;
  /** Time of the latest fact, in ms; NaN without one. */
  readonly maxOccurredMs: Float64Array;
  /** 1 if facts arrived late and could not be folded again. */
  readonly isLate: Uint8Array;
}

/** The time at which scores are computed: neither later facts nor the clock are used. */
export interface Cutoff {
  /** Milliseconds since 1970. */
  readonly ms: number;
  /** The day of the cutoff in the workspace's time zone, in days since 1970-01-01. */
  readonly day: number;
}

/** Cart additions and removals of all members of the workspace. */
export interface CartPool {
  readonly adds: number;
  readonly removes: number;
}

/** Returns a block of this many members without any facts. */
export const emptyBlock = (size: number): StatisticsBlock => ({
  size,
  purchaseDays: new Int32Array(size),
  firstDay: new Int32Array(size),
  lastDay: new Int32Array(size),
  logSum: new Float64Array(size),
  logSquares: new Float64Array(size),
  daySquares: new Float64Array(size),
  purchaseMonths: new Uint16Array(size),
  events: new Int32Array(size),
  sessions: new Int32Array(size),
  buySessions: new Int32Array(size),
  firstEventMs: new Float64Array(size).fill(Number.NaN),
  lastEventMs: new Float64Array(size).fill(Number.NaN),
  decayedAdds: new Float64Array(size),
  decayedRemoves: new Float64Array(size),
  lastCartMs: new Float64Array(size).fill(Number.NaN),
  decayedOrders: new Float64Array(size),
  maxOccurredMs: new Float64Array(size).fill(Number.NaN),
  isLate: new Uint8Array(size),
});

/** The number of members, and of those who bought in the 30 days of a closed window. */
export interface BuyingShare {
  readonly members: number;
  readonly bought: number;
}

/** Figures that a workspace counts about its own members every night: an input of scores since std-2. */
export interface WorkspaceFigures {
  /** Null if too few members have intervals. */
  readonly intervals: IntervalPool | null;
  /** Members without a purchase; `meanWeight` is the mean of `browsingWeight`, null if there were none. */
  readonly browsers: BuyingShare & { readonly meanWeight: number | null };
  /** The tenth of buyers with the highest scores. */
  readonly bestBuyers: BuyingShare;
  /** Past scores did not rank the members better than chance. */
  readonly hasLowSkill: boolean;
}

/** The figures of a workspace that has counted nothing yet. */
export const NO_FIGURES: WorkspaceFigures = {
  intervals: null,
  browsers: { members: 0, bought: 0, meanWeight: null },
  bestBuyers: { members: 0, bought: 0 },
  hasLowSkill: false,
};
