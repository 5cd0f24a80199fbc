import { DAY_MS } from '@loyalty/platform/base/clock';
import type { AlignmentTarget } from '../estimators/training-request.ts';
import { foldEvents, foldOrders } from '../facts/fold.ts';
import { type DayOf, dayIn } from '../facts/workspace-day.ts';
import type { FeatureRows } from '../numerics/logistic.ts';
import { score } from '../standard-model/score.ts';
import { type StandardVersion, standardModels } from '../standard-model/standard-versions.ts';
import {
  type Cutoff,
  emptyBlock,
  NO_FIGURES,
  type StatisticsBlock,
} from '../standard-model/statistics-block.ts';
import { std1 } from '../standard-model/std-1.ts';

/**
 * The version of the standard model whose signals heads are fitted to and applied to. It is independent of
 * the version that answers analyses: another one would change the results of fitted heads.
 */
const BACKBONE_VERSION: StandardVersion = 'std-1';

/** Version and parameters of the standard model that heads are fitted to. */
export const backboneModel = {
  version: BACKBONE_VERSION,
  parametersSha256: standardModels[BACKBONE_VERSION].parametersSha256,
} as const;

/** Returns the backbone's chances of a purchase within the horizon, in days; NaN if there is none. */
export const backboneChances = (members: StatisticsBlock, cutoff: Cutoff, horizon: number): Float64Array =>
  score(members, cutoff, {
    version: BACKBONE_VERSION,
    purchaseDays: horizon,
    pool: { adds: 0, removes: 0 },
    figures: NO_FIGURES,
  }).purchase;

/** The most events of a member that an alignment reads; the latest ones. */
export const EVENTS_MAX = 512;

/** A purchase or a view of a member. */
export interface BackboneEvent {
  /** Milliseconds since 1970. */
  readonly ms: number;
  readonly type: 'buy' | 'pv';
}

/** A member's events, ascending, and a later time at which the signals are computed. */
export interface EventSequence {
  readonly events: readonly BackboneEvent[];
  /** Milliseconds since 1970. */
  readonly asOf: number;
}

/** Signals of the frozen standard model, in the order of their columns. */
export const SIGNALS = [
  'standard_logit',
  'purchase_rate',
  'purchase_recency',
  'session_conversion',
  'session_rate',
  'event_recency',
] as const;

/** Signals of members, with the standard model's chance of the target. */
export interface SignalRows {
  readonly rows: FeatureRows;
  /** Chance of the label 1 by the standard model. */
  readonly standard: Float64Array;
}

const SHORT_DAYS = 28;

/** Rate and days of the prior for sequences shorter than 28 days. */
const SHORT_PRIOR = { r: 1, alpha: 12 } as const;

const RECENCY_DAYS_MAX = 365;

const NO_PURCHASE_DAYS = 30;

const CHANCE_MIN = 1e-6;

/**
 * Computes the frozen signals of members, from their events alone, and the standard model's score for the
 * target. The formulas are those of the standard model and of its statistics.
 *
 * @param horizon - days after `asOf` in which the target may occur
 * @param dayOf - returns the day of an instant. Default: days of UTC.
 */
export function eventSignals(
  sequences: readonly EventSequence[],
  target: AlignmentTarget,
  horizon: number,
  dayOf: DayOf = dayIn('UTC'),
): SignalRows {
  const width = SIGNALS.length;
  const values = new Float64Array(sequences.length * width);
  const standard = new Float64Array(sequences.length);
  sequences.forEach((sequence, place) => {
    const block = blockOf(sequence, dayOf);
    const cutoff = { ms: sequence.asOf, day: dayOf(sequence.asOf) };
    const purchase = backboneChances(block, cutoff, horizon)[0]!;
    standard[place] = targetChance(Number.isNaN(purchase) ? 0 : purchase, target);
    values.set([logitOf(standard[place]!), ...ratesOf(block, sequence, cutoff.day)], place * width);
  });
  return { rows: { count: sequences.length, width, values }, standard };
}

/**
 * Converts the chance of a purchase within the horizon to that of the target: churn and abandonment mean no
 * purchase.
 */
export const targetChance = (purchase: number, target: AlignmentTarget): number =>
  target === 'purchase' ? purchase : 1 - purchase;

/** Log-odds of a chance, which is clipped to at least a millionth from 0 and 1. */
export function logitOf(chance: number): number {
  const bounded = Math.min(1 - CHANCE_MIN, Math.max(CHANCE_MIN, chance));
  return Math.log(bounded / (1 - bounded));
}

/**
 * Returns a block of one row: the statistics of the events; a purchase counts as an order and as an event.
 */
function blockOf({ events }: EventSequence, dayOf: DayOf): StatisticsBlock {
  const block = emptyBlock(1);
  const orders = events
    .filter(({ type }) => type === 'buy')
    .map(({ ms }) => ({ ms, amountMinor: 1n, currency: '', status: 'PAID' as const }));
  const purchases = foldOrders(orders, dayOf);
  const folded = foldEvents(
    events.map(({ ms, type }) => ({ ms, type: type === 'buy' ? 'purchase' : 'view' })),
  );
  block.purchaseDays[0] = purchases.purchaseDays;
  block.firstDay[0] = purchases.firstDay ?? 0;
  block.lastDay[0] = purchases.lastDay ?? 0;
  block.events[0] = folded.events;
  block.sessions[0] = folded.sessions;
  block.buySessions[0] = folded.buySessions;
  block.firstEventMs[0] = folded.firstEventMs ?? Number.NaN;
  block.lastEventMs[0] = folded.lastEventMs ?? Number.NaN;
  return block;
}

/** Returns all signals but the first. */
function ratesOf(block: StatisticsBlock, { events, asOf }: EventSequence, day: number): number[] {
  const purchaseDays = block.purchaseDays[0]!;
  const repeats = Math.max(purchaseDays - 1, 0);
  const age = daysBetween(block.firstEventMs[0]!, asOf);
  const isShort = age < SHORT_DAYS;
  const { r, alpha } = isShort ? SHORT_PRIOR : std1;
  const observed = isShort || purchaseDays === 0 ? age : day - block.firstDay[0]!;
  const lastBuyMs = events.findLast(({ type }) => type === 'buy')?.ms;
  const silent =
    lastBuyMs === undefined
      ? age + NO_PURCHASE_DAYS
      : Math.min(daysBetween(lastBuyMs, asOf), RECENCY_DAYS_MAX);
  const sessions = block.sessions[0]!;
  return [
    Math.log((r + repeats) / (alpha + observed)),
    Math.log1p(silent),
    Math.log((block.buySessions[0]! + 1) / (sessions + std1.browsing.sessionsPrior)),
    Math.log((sessions + 1) / (age + 1)),
    Math.log1p(daysBetween(block.lastEventMs[0]!, asOf)),
  ];
}

const daysBetween = (fromMs: number, untilMs: number): number =>
  Number.isNaN(fromMs) ? 0 : Math.max((untilMs - fromMs) / DAY_MS, 0);
