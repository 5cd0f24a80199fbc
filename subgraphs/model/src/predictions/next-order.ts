import {
  type IntervalPool,
  intervalAt,
  longerThan,
  type MemberRhythm,
  rhythmLikelihood,
  rhythmOf,
} from '../numerics/member-rhythm.ts';
import type { StatisticsBlock } from '../standard-model/statistics-block.ts';
import { std2 } from '../standard-model/std-2.ts';

/** Sums over the intervals between one member's purchase days; days since 1970-01-01. */
export interface PurchaseIntervals {
  readonly purchaseDays: number;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly logSum: number;
  readonly logSquares: number;
  readonly daySquares: number;
}

/** Returns the intervals of a row. */
export const intervalsOf = (members: StatisticsBlock, row: number): PurchaseIntervals => ({
  purchaseDays: members.purchaseDays[row]!,
  firstDay: members.firstDay[row]!,
  lastDay: members.lastDay[row]!,
  logSum: members.logSum[row]!,
  logSquares: members.logSquares[row]!,
  daySquares: members.daySquares[row]!,
});

export type NextOrderGap = 'NOT_ENOUGH_DATA' | 'SHORT_SPAN' | 'LIKELY_LAPSED';

/** Days are days since 1970-01-01. */
export interface NextOrder {
  /** The day by which half of such members have ordered; lapsed members never do. */
  readonly expectedDay: number;
  /** The 80% band of the next order, as far as the share of lapsed members allows it. */
  readonly band: { readonly fromDay: number; readonly toDay: number };
  readonly intervalMeanDays: number;
  readonly intervalMedianDays: number;
  readonly intervalStddevDays: number;
  readonly intervalCv: number;
  readonly confidence: 'LOW' | 'MEDIUM' | 'HIGH';
}

const PURCHASES_MIN = 3;
/** Intervals with at most this variance, in days squared, are equal but for the hour of the day. */
const CALENDAR_VARIANCE_DAYS = 0.5;
/**
 * Variance of the logarithms of the intervals of members who buy by the calendar: about three days in thirty.
 */
const CALENDAR_VARIANCE = 0.01;
/** Prior probability that a member buys by the calendar. */
const CALENDAR_SHARE = 0.1;
const SPAN_DAYS_MIN = 7;
/**
 * Share of next orders within the band; and its maximum as a share of the orders of members who are still
 * customers.
 */
const BAND_SHARE = 0.8;
const BAND_SHARE_MAX = 0.9;
/** The latest expected day, in days after the last purchase. */
const DAYS_MAX = 3_650;
const INTERVALS_HIGH = 6;
const INTERVALS_LOW = 3;
/** The greatest variance of the logarithms of a regular member's intervals. */
const VARIANCE_HIGH = 0.5;
/** Chances of still being a customer from which the confidence is high, medium, or given at all. */
const CUSTOMER_HIGH = 0.9;
const CUSTOMER_MEDIUM = 0.75;
const CUSTOMER_MIN = 0.5;

/**
 * Predicts a member's next order: the distribution of its own intervals, given the time since the last order,
 * mixed with the chance that the member has left for good. There is no prediction for a member who has
 * probably left.
 *
 * @param pool - null if the workspace has too few members with intervals
 * @param day - of the forecast
 * @remarks Source: v2 REST API, section 2 "Members"; requirements L-PRO-02, L-PRO-03; the chance of leaving
 *   after a purchase: MBG/NBD of Batislam, Denizel and Filiztekin 2007
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
  const { rhythm, silence } = likelierRhythm(member, pool ?? std2.rhythm.pool, day);
  const customer = silence / (silence + std2.a / (std2.b + count));
  if (customer <= CUSTOMER_MIN) return 'LIKELY_LAPSED';
  // Two purchase days are at least a day apart.
  const dayBy = (share: number) =>
    member.lastDay + Math.min(Math.max(1, Math.round(intervalAt(rhythm, silence * (1 - share)))), DAYS_MAX);
  const width = Math.min(BAND_SHARE / customer, BAND_SHARE_MAX);
  return {
    expectedDay: dayBy(0.5 / customer),
    band: { fromDay: dayBy((1 - width) / 2), toDay: dayBy((1 + width) / 2) },
    ...intervalFigures(member, count, rhythm),
    confidence: confidenceOf({ customer, count, variance: rhythm.variance, hasPool: pool !== null }),
  };
}

interface Candidate {
  readonly rhythm: MemberRhythm;
  /** Chance of a gap as long as the current one. */
  readonly silence: number;
  readonly likelihood: number;
}

/**
 * Returns a member's rhythm with the usual deviation of the workspace or, if all intervals are equal to the
 * day, with the deviation of members who buy by the calendar, whichever is likelier for the intervals and the
 * current gap. Equal intervals are rarely random; but when the expected day has passed, the gap contradicts
 * the calendar.
 */
function likelierRhythm(member: PurchaseIntervals, pool: IntervalPool, day: number): Candidate {
  const own = { ...member, count: member.purchaseDays - 1 };
  const days = Math.max(day - member.lastDay, 0.5);
  const candidate = (prior: IntervalPool, share: number): Candidate => {
    const rhythm = rhythmOf(own, prior, std2.rhythm.freedom);
    const silence = longerThan(rhythm, days);
    const ofIntervals = rhythmLikelihood(own, rhythm, prior, std2.rhythm.freedom);
    return { rhythm, silence, likelihood: ofIntervals + Math.log(silence * share) };
  };
  const usual = candidate(pool, 1 - CALENDAR_SHARE);
  if (varianceOfDays(member, own.count) > CALENDAR_VARIANCE_DAYS) return usual;
  const byCalendar = candidate({ ...pool, varianceWithin: CALENDAR_VARIANCE }, CALENDAR_SHARE);
  return byCalendar.likelihood > usual.likelihood ? byCalendar : usual;
}

function varianceOfDays({ firstDay, lastDay, daySquares }: PurchaseIntervals, count: number): number {
  const mean = (lastDay - firstDay) / count;
  return Math.max(0, daySquares - count * mean * mean) / (count - 1);
}

function intervalFigures(member: PurchaseIntervals, count: number, rhythm: MemberRhythm) {
  const mean = (member.lastDay - member.firstDay) / count;
  const stddev = Math.sqrt(varianceOfDays(member, count));
  return {
    intervalMeanDays: mean,
    intervalMedianDays: Math.exp(rhythm.logMedian),
    intervalStddevDays: stddev,
    intervalCv: stddev / mean,
  };
}

function confidenceOf(fit: {
  readonly customer: number;
  readonly count: number;
  readonly variance: number;
  readonly hasPool: boolean;
}): NextOrder['confidence'] {
  if (fit.customer < CUSTOMER_MEDIUM || fit.count < INTERVALS_LOW) return 'LOW';
  const isSteady =
    fit.count >= INTERVALS_HIGH && fit.variance <= VARIANCE_HIGH && fit.customer >= CUSTOMER_HIGH;
  return isSteady && fit.hasPool ? 'HIGH' : 'MEDIUM';
}
