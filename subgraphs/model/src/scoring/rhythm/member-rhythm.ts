import { logGamma } from '../numerics/log-gamma.ts';
import { studentQuantile, studentTail } from '../numerics/student-distribution.ts';
import type { IntervalPool } from './interval-pool.ts';

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
