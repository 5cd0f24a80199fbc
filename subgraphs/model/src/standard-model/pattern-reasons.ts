import { reasonBits } from './reasons.ts';
import type { ScoreBlock } from './score-block.ts';
import type { StatisticsBlock } from './statistics-block.ts';
import type { std2 } from './std-2.ts';

const { SEASONAL_PATTERN, LOW_SKILL_HERE } = reasonBits;
const MONTHS = 12;
const ALL_MONTHS = 2 ** MONTHS - 1;

/**
 * Marks members who buy in the same two months of each year only: a gap between these seasons says nothing.
 */
export function markSeasons(
  { size, purchaseDays, firstDay, lastDay, purchaseMonths }: StatisticsBlock,
  { season }: typeof std2,
  { purchaseReasons, longGapReasons }: ScoreBlock,
): void {
  for (let row = 0; row < size; row += 1) {
    if (purchaseDays[row]! < season.purchaseDaysMin) continue;
    if (lastDay[row]! - firstDay[row]! < season.spanDaysMin) continue;
    if (!isOneSeason(purchaseMonths[row]!)) continue;
    purchaseReasons[row]! |= SEASONAL_PATTERN;
    longGapReasons[row]! |= SEASONAL_PATTERN;
  }
}

/** Whether the months, if there are any, lie within two consecutive ones, such as December and January. */
function isOneSeason(months: number): boolean {
  if (months === 0) return false;
  for (let first = 0; first < MONTHS; first += 1) {
    const two = ((0b11 << first) & ALL_MONTHS) | (first === MONTHS - 1 ? 1 : 0);
    if ((months & ~two) === 0) return true;
  }
  return false;
}

/** Marks all scores of purchases: in this workspace, past scores did not predict who buys. */
export function markLowSkill({ size, purchase, longGap, purchaseReasons, longGapReasons }: ScoreBlock): void {
  for (let row = 0; row < size; row += 1) {
    if (!Number.isNaN(purchase[row]!)) purchaseReasons[row]! |= LOW_SKILL_HERE;
    if (!Number.isNaN(longGap[row]!)) longGapReasons[row]! |= LOW_SKILL_HERE;
  }
}
