import { reasonBits } from './reasons.ts';
import type { ScoreBlock } from './score-block.ts';
import type { StatisticsBlock } from './statistics-block.ts';

const { INSUFFICIENT_HISTORY, NO_PURCHASE_HISTORY, NO_CART_EVENTS, NO_REMOVALS_SEEN } = reasonBits;

/**
 * Returns 1 for each row that could not be scored: its statistics are impossible, or a score is not finite
 * although the member has the data for it. The scores of such a row become NaN.
 */
export function failedRows(members: StatisticsBlock, scores: ScoreBlock): Uint8Array {
  const failed = new Uint8Array(members.size);
  for (let row = 0; row < members.size; row += 1) {
    if (isPossible(members, row) && isScored(members, scores, row)) continue;
    failed[row] = 1;
    clearScores(scores, row);
  }
  return failed;
}

/** Counts and sums are not negative, times are finite or absent, and no end is before its beginning. */
function isPossible(members: StatisticsBlock, row: number): boolean {
  const { purchaseDays, firstDay, lastDay, events, sessions, buySessions, isLate } = members;
  const { logSum, logSquares, daySquares, purchaseMonths, decayedAdds, decayedRemoves, decayedOrders } =
    members;
  const { firstEventMs, lastEventMs, lastCartMs, maxOccurredMs } = members;
  return (
    purchaseDays[row]! >= 0 &&
    (purchaseDays[row] === 0 || firstDay[row]! <= lastDay[row]!) &&
    events[row]! >= 0 &&
    sessions[row]! >= 0 &&
    buySessions[row]! >= 0 &&
    isLate[row]! <= 1 &&
    isSum(logSum[row]!) &&
    isSum(logSquares[row]!) &&
    isSum(daySquares[row]!) &&
    purchaseMonths[row]! < 4_096 &&
    isSum(decayedAdds[row]!) &&
    isSum(decayedRemoves[row]!) &&
    isSum(decayedOrders[row]!) &&
    isTime(firstEventMs[row]!) &&
    isTime(lastEventMs[row]!) &&
    isTime(lastCartMs[row]!) &&
    isTime(maxOccurredMs[row]!) &&
    !(firstEventMs[row]! > lastEventMs[row]!)
  );
}

const isSum = (value: number): boolean => value >= 0 && value < Number.POSITIVE_INFINITY;

/** NaN stands for an absent time. */
const isTime = (value: number): boolean => Math.abs(value) !== Number.POSITIVE_INFINITY;

/** A score may be missing only if its reasons say so. */
function isScored({ purchaseDays }: StatisticsBlock, scores: ScoreBlock, row: number): boolean {
  const { purchase, longGap, cartRemoval, aliveChance, gapSurvival } = scores;
  const { purchaseReasons, longGapReasons, cartRemovalReasons } = scores;
  const isThere = (score: number, reasons: number, missing: number) =>
    Number.isFinite(score) || (Number.isNaN(score) && (reasons & missing) !== 0);
  return (
    isThere(purchase[row]!, purchaseReasons[row]!, INSUFFICIENT_HISTORY) &&
    isThere(longGap[row]!, longGapReasons[row]!, NO_PURCHASE_HISTORY) &&
    isThere(cartRemoval[row]!, cartRemovalReasons[row]!, NO_CART_EVENTS | NO_REMOVALS_SEEN) &&
    (purchaseDays[row] === 0 || (Number.isFinite(aliveChance[row]) && Number.isFinite(gapSurvival[row])))
  );
}

function clearScores(scores: ScoreBlock, row: number): void {
  const { purchase, longGap, cartRemoval, aliveChance, gapSurvival, overdueCycles } = scores;
  for (const column of [purchase, longGap, cartRemoval, aliveChance, gapSurvival, overdueCycles])
    column[row] = Number.NaN;
}
