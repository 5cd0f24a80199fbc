import type { IntervalPool } from '../rhythm/interval-pool.ts';

/** Members, and how many of them bought in the 30 days of a closed window. */
export interface BuyingShare {
  readonly members: number;
  readonly bought: number;
}

/** What a workspace counts about its own members every night: an input of scores since std-2. */
export interface WorkspaceFigures {
  /** Null where too few members have intervals. */
  readonly intervals: IntervalPool | null;
  /** Members without a purchase; `meanWeight` is the mean of `browsingWeight`, null where there were none. */
  readonly browsers: BuyingShare & { readonly meanWeight: number | null };
  /** The tenth of buyers with the highest scores. */
  readonly bestBuyers: BuyingShare;
  /** Scores of the past did not order the members better than chance. */
  readonly hasLowSkill: boolean;
}

/** Of a workspace that has counted nothing yet. */
export const NO_FIGURES: WorkspaceFigures = {
  intervals: null,
  browsers: { members: 0, bought: 0, meanWeight: null },
  bestBuyers: { members: 0, bought: 0 },
  hasLowSkill: false,
};
