import { daysSince, type Horizons } from './horizons.ts';
import { reasonBits } from './reasons.ts';
import type { ScoreBlock } from './score-block.ts';
import type { BuyingShare, Cutoff, StatisticsBlock, WorkspaceFigures } from './statistics-block.ts';
import { std2 } from './std-2.ts';

const { NO_PURCHASE_HISTORY, LATE_DATA, INSUFFICIENT_HISTORY } = reasonBits;

/**
 * Scores members without a purchase. The purchase rate of the workspace's browsers is multiplied by the ratio
 * of the member's browsing weight to the usual one. The resulting chance approaches that of the workspace's
 * best buyers, and never reaches it.
 */
export function scoreBrowsers(
  members: StatisticsBlock,
  { ms }: Cutoff,
  { purchaseDays: horizon }: Horizons,
  {
    parameters: { browsing },
    figures: { browsers, bestBuyers },
    scores,
  }: { readonly parameters: typeof std2; readonly figures: WorkspaceFigures; readonly scores: ScoreBlock },
): void {
  const { size, purchaseDays, events, sessions, buySessions, lastEventMs, isLate } = members;
  const windows = horizon / browsing.windowDays;
  const rate = -Math.log1p(-shrunk(browsers, browsing.conversion, browsing.conversionWeight)) * windows;
  const best = shrunk(bestBuyers, browsing.bestBuyers, browsing.bestBuyersWeight);
  const most = -Math.expm1(windows * Math.log1p(-best));
  const usual = browsers.meanWeight ?? browsing.meanWeight;
  for (let row = 0; row < size; row += 1) {
    if (purchaseDays[row] !== 0) continue;
    const late = isLate[row]! * LATE_DATA;
    scores.longGapReasons[row] = NO_PURCHASE_HISTORY | late;
    if (events[row]! < browsing.eventsMin) {
      scores.purchaseReasons[row] = INSUFFICIENT_HISTORY | late;
      continue;
    }
    const idle = daysSince(lastEventMs[row]!, ms);
    const expected = (rate * browsingWeight(sessions[row]!, buySessions[row]!, idle)) / usual;
    scores.purchase[row] = -most * Math.expm1(-expected / most);
    scores.purchaseReasons[row] = NO_PURCHASE_HISTORY | late;
  }
}

/** The share of buyers, shrunk as if `weight` more members with the usual share had been observed. */
const shrunk = ({ members, bought }: BuyingShare, usual: number, weight: number): number =>
  (bought + usual * weight) / (members + weight);

const { buySessionWeight, idleHalvingDays } = std2.browsing;

/**
 * The relative weight of a member without a purchase as a likely buyer: grows with sessions, with sessions
 * that end in a purchase, and with recency.
 *
 * @param idleDays - from the last event to the cutoff
 */
export const browsingWeight = (sessions: number, buySessions: number, idleDays: number): number =>
  Math.sqrt(1 + sessions + buySessionWeight * buySessions) / (1 + idleDays / idleHalvingDays);
