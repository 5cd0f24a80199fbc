import { upperQuantile, upperTail } from './normal-distribution.ts';

/** The intervals of all members of a workspace, as the prior of one member's; of logarithms of days. */
export interface IntervalPool {
  /** Of a member's intervals around its own mean. */
  readonly varianceWithin: number;
  /** Mean of the members' means, and their variance around it. */
  readonly mean: number;
  readonly varianceBetween: number;
  readonly members: number;
}

/** Sums over the intervals between one member's purchase days; days since 1970-01-01. */
export interface PurchaseIntervals {
  readonly purchaseDays: number;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly logSum: number;
  readonly daySquares: number;
}

export type NextOrderGap = 'NOT_ENOUGH_DATA' | 'SHORT_SPAN' | 'LONG_SILENCE';

/** Days are days since 1970-01-01. */
export interface NextOrder {
  readonly expectedDay: number;
  /** Four of five next orders come from this day to that. */
  readonly band: { readonly fromDay: number; readonly toDay: number };
  readonly intervalMeanDays: number;
  readonly intervalMedianDays: number;
  readonly intervalStddevDays: number;
  readonly intervalCv: number;
  readonly confidence: 'LOW' | 'MEDIUM' | 'HIGH';
}

const PURCHASES_MIN = 3;
const SPAN_DAYS_MIN = 7;
/** Share of the member's expected intervals that are longer than the time since the last order. */
const TAIL_MIN = 0.01;
const TAIL_OVERDUE = 0.1;
const TAIL_HIGH = 0.25;
const INTERVALS_HIGH = 6;
const INTERVALS_LOW = 3;
const CV_HIGH = 0.5;
/** Where too few members have intervals; measured on four public data sets. */
const VARIANCE_WITHIN_UNFITTED = 0.8;

/**
 * When a member's next order is expected: a log-normal distribution of the member's intervals, shrunk towards
 * those of the workspace, and conditional on the time since the last order.
 *
 * @param pool - null where the workspace has too few members with intervals: then only the member's own count
 * @param day - of the forecast
 * @remarks Source: v2 REST API, section 2 "Members"; requirements L-PRO-02, L-PRO-03
 */
export function nextOrder(
  member: PurchaseIntervals,
  pool: IntervalPool | null,
  day: number,
): NextOrder | NextOrderGap {
  if (member.purchaseDays < PURCHASES_MIN) return 'NOT_ENOUGH_DATA';
  const span = member.lastDay - member.firstDay;
  if (span < SPAN_DAYS_MIN) return 'SHORT_SPAN';
  const count = member.purchaseDays - 1;
  const { mu, sigma } = fitted(member.logSum / count, count, pool);
  const tail = upperTail((Math.log(Math.max(day - member.lastDay, 0.5)) - mu) / sigma);
  if (tail < TAIL_MIN) return 'LONG_SILENCE';
  // Two purchase days are a day apart at least.
  const dayOf = (share: number) =>
    member.lastDay + Math.max(1, Math.round(Math.exp(mu + sigma * upperQuantile(tail * share))));
  const mean = span / count;
  const stddev = Math.sqrt(Math.max(0, member.daySquares - count * mean * mean) / (count - 1));
  const cv = stddev / mean;
  return {
    expectedDay: dayOf(0.5),
    band: { fromDay: dayOf(0.9), toDay: dayOf(0.1) },
    intervalMeanDays: mean,
    intervalMedianDays: Math.exp(mu),
    intervalStddevDays: stddev,
    intervalCv: cv,
    confidence: confidenceOf({ tail, count, cv, hasPool: pool !== null }),
  };
}

/** Mean and deviation of the logarithm of the member's next interval. */
function fitted(mean: number, count: number, pool: IntervalPool | null): { mu: number; sigma: number } {
  const within = pool?.varianceWithin ?? VARIANCE_WITHIN_UNFITTED;
  const ownWeight = count / within;
  const poolWeight = pool ? 1 / pool.varianceBetween : 0;
  const mu = (mean * ownWeight + (pool?.mean ?? 0) * poolWeight) / (ownWeight + poolWeight);
  return { mu, sigma: Math.sqrt(within + 1 / (ownWeight + poolWeight)) };
}

function confidenceOf(fit: {
  readonly tail: number;
  readonly count: number;
  readonly cv: number;
  readonly hasPool: boolean;
}): NextOrder['confidence'] {
  if (fit.tail < TAIL_OVERDUE || fit.count < INTERVALS_LOW) return 'LOW';
  const isSteady = fit.count >= INTERVALS_HIGH && fit.cv <= CV_HIGH && fit.tail >= TAIL_HIGH;
  return isSteady && fit.hasPool ? 'HIGH' : 'MEDIUM';
}
