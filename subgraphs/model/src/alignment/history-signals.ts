import { DAY_MS } from '@loyalty/platform/base/clock';
import type { AlignmentTarget } from '../estimators/training-request.ts';
import { upperTail } from '../numerics/distributions.ts';
import { backboneChances, logitOf, targetChance } from '../pipelines/event-signals.ts';
import type { StatisticsBlock } from '../standard-model/statistics-block.ts';
import { historyBlock, type KnownHistory, type MemberHistory } from './member-history.ts';

/** Signals from a member's own history, in the order of their columns. */
export const HISTORY_SIGNALS = [
  'standard_logit',
  'recency',
  'frequency',
  'rhythm',
  'overdue',
  'variation',
  'rhythm_logit',
  'last_year',
  'recent_events',
  'event_recency',
  'sessions',
] as const;

/** Number of columns of HISTORY_SIGNALS. */
export const HISTORY_WIDTH = HISTORY_SIGNALS.length;

/** The time and the target of signals. */
export interface SignalMoment {
  /** The last known day, in days since 1970-01-01 of the workspace's time zone. */
  readonly day: number;
  /** The end of that day, milliseconds since 1970. */
  readonly ms: number;
  readonly target: AlignmentTarget;
  /** Days after `day` in which the target may occur. */
  readonly horizon: number;
  /** True if the workspace's history reaches back over a year from every cutoff of the fit. */
  readonly hasLastYear: boolean;
}

/** Signals of one member; null if the target does not apply to the member, or it has no standard score. */
export interface HistorySignals {
  readonly values: readonly number[];
  /** Chance of the target by the standard model. */
  readonly standard: number;
  /** First day with a purchase, 0 without one. */
  readonly firstDay: number;
}

const SILENT_DAYS_MAX = 730;
const RECENCY_DAYS_MAX = 365;
const YEAR_DAYS = 365;
const VARIATION_MAX = 3;
const RATIO_LOG_MAX = 4;
/** Intervals that a member needs for its own rhythm. */
const INTERVALS_MIN = 2;
/** Prior variance of logarithms of intervals, and its weight in intervals. */
const VARIANCE_PRIOR = 0.5;
const VARIANCE_PRIOR_WEIGHT = 2;
const VARIANCE_MIN = 0.01;

/**
 * Returns signals of members at a moment from their history up to it. Churn and purchase apply to members who
 * bought in the last two years; abandonment to members who put something into a cart in the last 30 days.
 */
export function historySignals(
  histories: readonly MemberHistory[],
  moment: SignalMoment,
): (HistorySignals | null)[] {
  const { day, ms, target, horizon } = moment;
  const { block, known } = historyBlock(histories, { day, ms });
  const purchase = backboneChances(block, { day, ms }, horizon);
  return known.map((own, row) => {
    const bought = purchase[row]!;
    if (Number.isNaN(bought) || !isAsked(block, own, row, moment)) return null;
    const standard = targetChance(bought, target);
    const logit = logitOf(standard);
    const values = [
      logit,
      ...purchaseSignals(block, row, moment, logit),
      moment.hasLastYear ? lastYear(own, moment) : 0,
      ...eventSignalsOf(block, own, row, ms),
    ];
    return { values, standard, firstDay: block.firstDay[row]! };
  });
}

function isAsked(
  block: StatisticsBlock,
  own: KnownHistory,
  row: number,
  { day, target }: SignalMoment,
): boolean {
  if (target === 'abandonment') return own.recentCartAdds > 0;
  return block.purchaseDays[row]! > 0 && day - block.lastDay[row]! <= SILENT_DAYS_MAX;
}

/** Returns 1 if the member bought in the same days of the previous year, else 0. */
function lastYear({ purchaseDays }: KnownHistory, { day, horizon }: SignalMoment): number {
  const from = day - YEAR_DAYS;
  return purchaseDays.some((each) => each > from && each <= from + horizon) ? 1 : 0;
}

/** Returns recency, frequency, and the current gap relative to the member's own intervals. */
function purchaseSignals(
  block: StatisticsBlock,
  row: number,
  { day, target, horizon }: SignalMoment,
  standardLogit: number,
): number[] {
  const days = block.purchaseDays[row]!;
  if (days === 0) return [Math.log1p(RECENCY_DAYS_MAX), 0, 0, 0, 0, standardLogit];
  const silent = day - block.lastDay[row]!;
  const [recency, frequency] = [Math.log1p(silent), Math.log(days)];
  const intervals = days - 1;
  if (intervals < INTERVALS_MIN) return [recency, frequency, 0, 0, 0, standardLogit];
  const mean = (block.lastDay[row]! - block.firstDay[row]!) / intervals;
  const variance = Math.max(block.daySquares[row]! / intervals - mean * mean, 0);
  const ratio = Math.log((silent + 1) / (mean + 1));
  const bounded = Math.min(RATIO_LOG_MAX, Math.max(-RATIO_LOG_MAX, ratio));
  const within = ownIntervalChance(block, row, silent, horizon);
  return [
    recency,
    frequency,
    bounded,
    Math.max(bounded, 0),
    Math.min(Math.sqrt(variance) / mean, VARIATION_MAX),
    logitOf(targetChance(within, target)),
  ];
}

/**
 * Chance that the current gap ends within the horizon, if the logarithms of the member's intervals are normal
 * with their own mean and a variance that is shrunk to .5 with the weight of two intervals.
 */
function ownIntervalChance(block: StatisticsBlock, row: number, silent: number, horizon: number): number {
  const intervals = block.purchaseDays[row]! - 1;
  const mean = block.logSum[row]! / intervals;
  const squares = Math.max(block.logSquares[row]! - block.logSum[row]! * mean, 0);
  const weight = VARIANCE_PRIOR_WEIGHT;
  const variance = (squares + weight * VARIANCE_PRIOR) / (intervals - 1 + weight);
  const deviation = Math.sqrt(Math.max(variance, VARIANCE_MIN));
  const tailAt = (gap: number) => upperTail((Math.log(Math.max(gap, 0.5)) - mean) / deviation);
  const left = tailAt(silent + 0.5);
  return left <= Number.MIN_VALUE ? 0 : 1 - tailAt(silent + horizon + 0.5) / left;
}

function eventSignalsOf(block: StatisticsBlock, own: KnownHistory, row: number, ms: number): number[] {
  const lastMs = block.lastEventMs[row]!;
  const silent = Number.isNaN(lastMs) ? RECENCY_DAYS_MAX : Math.max((ms - lastMs) / DAY_MS, 0);
  return [
    Math.log1p(own.recentEvents),
    Math.log1p(Math.min(silent, RECENCY_DAYS_MAX)),
    Math.log1p(block.sessions[row]!),
  ];
}
