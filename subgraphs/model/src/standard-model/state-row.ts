import { cartDecay } from './horizons.ts';
import type { ScoreBlock } from './score-block.ts';
import { roundedScore, type SignalStatus } from './standard-state.ts';
import type { Cutoff, StatisticsBlock } from './statistics-block.ts';

/** The state of one member as it is stored: numbers only, null for a missing one. */
export interface StateRow {
  readonly status: SignalStatus;
  /** Scores from 0 to 1, and bits of the reasons why they are degraded or unavailable. */
  readonly purchase: number | null;
  readonly longGap: number | null;
  readonly cartRemoval: number | null;
  readonly purchaseReasons: number;
  readonly longGapReasons: number;
  readonly cartRemovalReasons: number;
  readonly purchaseDays: number;
  /** Days since 1970-01-01 in the workspace's time zone. */
  readonly firstDay: number | null;
  readonly lastDay: number | null;
  /** Days from the last purchase to the cutoff. */
  readonly gapDays: number | null;
  /**
   * Mean and sample standard deviation of the days between purchase days; null with fewer than two intervals.
   */
  readonly intervalMean: number | null;
  readonly intervalSd: number | null;
  readonly aliveChance: number | null;
  readonly gapSurvival: number | null;
  /** Cycles of the member's own rhythm that it has missed. */
  readonly overdueCycles: number | null;
  readonly sessions: number;
  /** Decayed to the cutoff, as the score uses them. */
  readonly cartAdds: number;
  readonly cartRemoves: number;
  /** Milliseconds since 1970. */
  readonly lastEventMs: number | null;
  readonly lastCartMs: number | null;
  /** The time of the latest fact. */
  readonly dataThroughMs: number | null;
}

/** Returns the number of scores of a state, 0 to 3: each of them is charged. */
export const scoresOf = ({ purchase, longGap, cartRemoval }: StateRow): number =>
  [purchase, longGap, cartRemoval].filter((each) => each !== null).length;

/**
 * Returns the stored state of one row. A state is OK if purchase and long gap are OK, and UNAVAILABLE only if
 * all three signals are.
 *
 * @param row - of `members` and of the `scores` that were made from them with the same cutoff
 */
export function stateRow(
  members: StatisticsBlock,
  scores: ScoreBlock,
  row: number,
  cutoff: Cutoff,
): StateRow {
  const purchase = orNull(scores.purchase[row]!);
  const longGap = orNull(scores.longGap[row]!);
  const cartRemoval = orNull(scores.cartRemoval[row]!);
  const purchaseReasons = scores.purchaseReasons[row]!;
  const longGapReasons = scores.longGapReasons[row]!;
  const isOk = purchase !== null && longGap !== null && purchaseReasons === 0 && longGapReasons === 0;
  const hasNone = purchase === null && longGap === null && cartRemoval === null;
  const degraded = hasNone ? 'UNAVAILABLE' : 'DEGRADED';
  return {
    status: isOk ? 'OK' : degraded,
    purchase,
    longGap,
    cartRemoval,
    purchaseReasons,
    longGapReasons,
    cartRemovalReasons: scores.cartRemovalReasons[row]!,
    ...purchaseFacts(members, scores, row, cutoff),
    ...eventFacts(members, row, cutoff),
  };
}

function purchaseFacts(members: StatisticsBlock, scores: ScoreBlock, row: number, cutoff: Cutoff) {
  const purchaseDays = members.purchaseDays[row]!;
  if (purchaseDays === 0) return NO_PURCHASE;
  const [firstDay, lastDay] = [members.firstDay[row]!, members.lastDay[row]!];
  return {
    purchaseDays,
    firstDay,
    lastDay,
    gapDays: Math.max(cutoff.day - lastDay, 0),
    ...intervals(purchaseDays - 1, lastDay - firstDay, members.daySquares[row]!),
    aliveChance: orNull(scores.aliveChance[row]!),
    gapSurvival: orNull(scores.gapSurvival[row]!),
    overdueCycles: orNull(scores.overdueCycles[row]!),
  };
}

const NO_PURCHASE = {
  purchaseDays: 0,
  firstDay: null,
  lastDay: null,
  gapDays: null,
  intervalMean: null,
  intervalSd: null,
  aliveChance: null,
  gapSurvival: null,
  overdueCycles: null,
} as const;

/** Mean and standard deviation of the intervals; a single interval has no deviation. */
function intervals(count: number, days: number, daySquares: number) {
  if (count < 2) return { intervalMean: null, intervalSd: null };
  const mean = days / count;
  const variance = Math.max(daySquares - days * mean, 0) / (count - 1);
  return { intervalMean: roundedScore(mean), intervalSd: roundedScore(Math.sqrt(variance)) };
}

function eventFacts(members: StatisticsBlock, row: number, { ms }: Cutoff) {
  const lastCartMs = msOrNull(members.lastCartMs[row]!);
  const left = cartDecay(members.lastCartMs[row]!, ms);
  return {
    sessions: members.sessions[row]!,
    cartAdds: roundedScore(members.decayedAdds[row]! * left),
    cartRemoves: roundedScore(members.decayedRemoves[row]! * left),
    lastEventMs: msOrNull(members.lastEventMs[row]!),
    lastCartMs,
    dataThroughMs: msOrNull(members.maxOccurredMs[row]!),
  };
}

const orNull = (raw: number): number | null => (Number.isNaN(raw) ? null : roundedScore(raw));

const msOrNull = (ms: number): number | null => (Number.isNaN(ms) ? null : ms);
