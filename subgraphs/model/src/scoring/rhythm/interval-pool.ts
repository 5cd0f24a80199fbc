/** The intervals of all members of a workspace, as the prior of one member's; of logarithms of days. */
export interface IntervalPool {
  /** Of a member's intervals around its own mean. */
  readonly varianceWithin: number;
  /** Mean of the members' means, and their variance around it. */
  readonly mean: number;
  readonly varianceBetween: number;
}

/** A pool that was fitted to so many members. */
export interface FittedIntervalPool extends IntervalPool {
  readonly members: number;
}

/** Of members with at least two intervals; of logarithms of days, null where there are too few members. */
export interface IntervalMoments {
  readonly members: number;
  readonly varianceWithin: number | null;
  readonly mean: number | null;
  /** Of the members' means, which hold some of the variance within. */
  readonly varianceOfMeans: number | null;
  /** Mean of 1 over the number of a member's intervals. */
  readonly meanOfInverseCounts: number | null;
}

const MEMBERS_MIN = 30;
/** So that no member gets just the workspace's mean, and no forecast is of one day alone. */
const VARIANCE_MIN = 0.01;

/** The pool that moments give; null of fewer than 30 members with two intervals. */
export function poolOf({ members, mean, ...moments }: IntervalMoments): FittedIntervalPool | null {
  if (members < MEMBERS_MIN) return null;
  const varianceWithin = Math.max(VARIANCE_MIN, moments.varianceWithin!);
  // Means of few intervals differ by chance alone; that part is not between the members.
  const between = moments.varianceOfMeans! - moments.varianceWithin! * moments.meanOfInverseCounts!;
  return { members, mean: mean!, varianceWithin, varianceBetween: Math.max(VARIANCE_MIN, between) };
}
