import { DAY_MS } from '@loyalty/platform/clock';
import { roundedScore } from './rounding.ts';
import type { ScoreBlock } from './score-block.ts';
import { cartDecay } from './signals.ts';
import type { EvidenceItem } from './standard-state.ts';
import type { Cutoff, StatisticsBlock } from './statistics-block.ts';

/**
 * The facts behind the scores of one row. `observedAt` is the time of the last fact behind an item where that
 * is known to the moment, the cutoff for what was worked out at it, and null for what is about days.
 */
export const observedOf = (
  members: StatisticsBlock,
  scores: ScoreBlock,
  row: number,
  cutoff: Cutoff,
): EvidenceItem[] => [
  { kind: 'n_purchase_days', value: members.purchaseDays[row]!, observedAt: null },
  ...purchaseItems(members, scores, row, cutoff),
  ...eventItems(members, row, cutoff),
];

function purchaseItems(
  { purchaseDays, firstDay, lastDay, daySquares }: StatisticsBlock,
  scores: ScoreBlock,
  row: number,
  cutoff: Cutoff,
): EvidenceItem[] {
  if (purchaseDays[row] === 0) return [];
  const [first, last, at] = [firstDay[row]!, lastDay[row]!, new Date(cutoff.ms)];
  return [
    { kind: 'first_purchase_day', value: isoDay(first), observedAt: null },
    { kind: 'last_purchase_day', value: isoDay(last), observedAt: null },
    { kind: 'gap_days', value: Math.max(cutoff.day - last, 0), observedAt: at },
    ...intervalItems(purchaseDays[row]! - 1, last - first, daySquares[row]!),
    { kind: 'alive_chance', value: roundedScore(scores.aliveChance[row]!), observedAt: at },
    { kind: 'gap_survival', value: roundedScore(scores.gapSurvival[row]!), observedAt: at },
  ];
}

/** Mean and sample standard deviation of the days between purchase days; one interval has no spread. */
function intervalItems(intervals: number, days: number, daySquares: number): EvidenceItem[] {
  if (intervals < 2) return [];
  const mean = days / intervals;
  const variance = Math.max(daySquares - days * mean, 0) / (intervals - 1);
  return [
    { kind: 'interval_mean_days', value: roundedScore(mean), observedAt: null },
    { kind: 'interval_sd_days', value: roundedScore(Math.sqrt(variance)), observedAt: null },
  ];
}

/** Cart counts are decayed to the cutoff, as the score takes them. */
function eventItems(members: StatisticsBlock, row: number, { ms }: Cutoff): EvidenceItem[] {
  const cartAt = members.lastCartMs[row]!;
  const left = cartDecay(cartAt, ms);
  const [adds, removes] = [members.decayedAdds[row]! * left, members.decayedRemoves[row]! * left];
  const [carts, latest] = [instant(cartAt), instant(members.maxOccurredMs[row]!)];
  return [
    { kind: 'sessions', value: members.sessions[row]!, observedAt: instant(members.lastEventMs[row]!) },
    { kind: 'cart_adds', value: roundedScore(adds), observedAt: carts },
    { kind: 'cart_removes', value: roundedScore(removes), observedAt: carts },
    { kind: 'data_through', value: latest?.toISOString() ?? null, observedAt: latest },
  ];
}

const isoDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

const instant = (ms: number): Date | null => (Number.isNaN(ms) ? null : new Date(ms));
