import { studentQuantile, studentTail } from './distributions.ts';
import { logGamma } from './log-gamma.ts';

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

/** Sums over the intervals between one member's purchase days: of logarithms, and of their squares. */
export interface LogIntervals {
  readonly count: number;
  readonly logSum: number;
  readonly logSquares: number;
}

/** How a member's next interval is distributed: its logarithm is Student's, shifted and scaled. */
export interface MemberRhythm {
  /** Logarithm of the median, in days. */
  readonly logMedian: number;
  readonly scale: number;
  /** Degrees of freedom. */
  readonly freedom: number;
  /** The member's variance of logarithms, shrunk towards the workspace's. */
  readonly variance: number;
}

/**
 * A member's own rhythm. The variance of its logarithms of intervals is shrunk to the workspace's, which
 * counts for `freedom` intervals more; their mean is shrunk to the workspace's mean by both variances.
 *
 * @param own - at least one interval
 * @remarks Source: normal model with a scaled inverse chi-squared variance; Gelman et al., Bayesian Data
 *   Analysis (2013), 2.6 and 3.2
 */
export function rhythmOf(
  { count, logSum, logSquares }: LogIntervals,
  pool: IntervalPool,
  freedom: number,
): MemberRhythm {
  const all = freedom + count - 1;
  const variance = (freedom * pool.varianceWithin + spreadOf(count, logSum, logSquares)) / all;
  const precision = count / variance + 1 / pool.varianceBetween;
  return {
    logMedian: (logSum / variance + pool.mean / pool.varianceBetween) / precision,
    scale: Math.sqrt(variance + 1 / precision),
    freedom: all,
    variance,
  };
}

/** Chance that the next interval is longer than `days`. */
export const longerThan = ({ logMedian, scale, freedom }: MemberRhythm, days: number): number =>
  studentTail((Math.log(days) - logMedian) / scale, freedom);

/** The interval, in days, that the next one exceeds with chance `tail`. */
export const intervalAt = ({ logMedian, scale, freedom }: MemberRhythm, tail: number): number =>
  Math.exp(logMedian + scale * studentQuantile(tail, freedom));

/**
 * Logarithm of the density of a member's intervals, in days, if members have rhythms as in the workspace.
 *
 * @param rhythm - of the same intervals and the same pool
 */
export function rhythmLikelihood(
  { count, logSum, logSquares }: LogIntervals,
  { variance, freedom: all }: MemberRhythm,
  pool: IntervalPool,
  freedom: number,
): number {
  const prior = freedom * pool.varianceWithin;
  const spread = spreadOf(count, logSum, logSquares);
  const ofSpread =
    logGamma(all / 2) -
    logGamma(freedom / 2) +
    (freedom / 2) * Math.log(prior) -
    (all / 2) * Math.log(prior + spread) -
    ((count - 1) / 2) * Math.log(Math.PI);
  const meanVariance = count * pool.varianceBetween + variance;
  const apart = logSum / count - pool.mean;
  const ofMean = -0.5 * (Math.log(2 * Math.PI * meanVariance) + (count * apart * apart) / meanVariance);
  // The density of days is that of logarithms over the days.
  return ofSpread + ofMean - logSum;
}

const spreadOf = (count: number, logSum: number, logSquares: number): number =>
  Math.max(logSquares - (logSum * logSum) / count, 0);
