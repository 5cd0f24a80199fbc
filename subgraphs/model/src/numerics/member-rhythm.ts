import { studentQuantile, studentTail } from './distributions.ts';
import { logGamma } from './log-gamma.ts';

/**
 * The distribution of the intervals of all members of a workspace, as the prior of one member's; in
 * logarithms of days.
 */
export interface IntervalPool {
  /** Variance of a member's intervals around the member's mean. */
  readonly varianceWithin: number;
  /** Mean of the members' means, and the variance of these means. */
  readonly mean: number;
  readonly varianceBetween: number;
}

/** A pool that was fitted to this many members. */
export interface FittedIntervalPool extends IntervalPool {
  readonly members: number;
}

/**
 * Moments of members with at least two intervals; in logarithms of days, null if there are too few members.
 */
export interface IntervalMoments {
  readonly members: number;
  readonly varianceWithin: number | null;
  readonly mean: number | null;
  /** Variance of the members' means, which includes some of the variance within. */
  readonly varianceOfMeans: number | null;
  /** Mean of 1 / (number of a member's intervals). */
  readonly meanOfInverseCounts: number | null;
}

const MEMBERS_MIN = 30;

/** Keeps every member's mean apart from the workspace's, and every forecast wider than one day. */
const VARIANCE_MIN = 0.01;

/** Returns the pool of moments; null with fewer than 30 members with two intervals. */
export function poolOf({ members, mean, ...moments }: IntervalMoments): FittedIntervalPool | null {
  if (members < MEMBERS_MIN) return null;
  const varianceWithin = Math.max(VARIANCE_MIN, moments.varianceWithin!);
  // Means of few intervals differ by chance; this part is not variance between the members.
  const between = moments.varianceOfMeans! - moments.varianceWithin! * moments.meanOfInverseCounts!;
  return { members, mean: mean!, varianceWithin, varianceBetween: Math.max(VARIANCE_MIN, between) };
}

/** Sums over the intervals between one member's purchase days: of logarithms and of squared logarithms. */
export interface LogIntervals {
  readonly count: number;
  readonly logSum: number;
  readonly logSquares: number;
}

/** The distribution of a member's next interval: its logarithm is Student's, shifted and scaled. */
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
 * Estimates a member's own rhythm. The variance of its logarithms of intervals is shrunk to the workspace's,
 * which has the weight of `freedom` intervals; their mean is shrunk to the workspace's mean by both
 * variances.
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

/** Returns the chance that the next interval is longer than `days`. */
export const longerThan = ({ logMedian, scale, freedom }: MemberRhythm, days: number): number =>
  studentTail((Math.log(days) - logMedian) / scale, freedom);

/** Returns the interval, in days, that the next one exceeds with chance `tail`. */
export const intervalAt = ({ logMedian, scale, freedom }: MemberRhythm, tail: number): number =>
  Math.exp(logMedian + scale * studentQuantile(tail, freedom));

/**
 * Returns the logarithm of the density of a member's intervals, in days, with the workspace's pool as prior.
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
  // The density of days is the density of logarithms divided by the days.
  return ofSpread + ofMean - logSum;
}

const spreadOf = (count: number, logSum: number, logSquares: number): number =>
  Math.max(logSquares - (logSum * logSum) / count, 0);
