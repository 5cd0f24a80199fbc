import { DAY_MS } from '@loyalty/platform/base/clock';
import { foldDays, foldEvents } from '../facts/fold.ts';
import { emptyBlock, type StatisticsBlock } from '../standard-model/statistics-block.ts';

/** The history of a member, ascending. */
export interface MemberHistory {
  /** Days with a purchase, in days since 1970-01-01 of the workspace's time zone. */
  readonly purchaseDays: readonly number[];
  readonly events: readonly { readonly ms: number; readonly type: string }[];
}

/** The history of a member up to a cutoff, in addition to its statistics. */
export interface KnownHistory {
  readonly purchaseDays: readonly number[];
  /** Events in the 30 days before the cutoff, and cart additions among them. */
  readonly recentEvents: number;
  readonly recentCartAdds: number;
}

const RECENT_MS = 30 * DAY_MS;

/** Cuts histories after a day, and returns them with their statistics for the standard model. */
export function historyBlock(
  histories: readonly MemberHistory[],
  cutoff: { readonly day: number; readonly ms: number },
): { readonly block: StatisticsBlock; readonly known: readonly KnownHistory[] } {
  const block = emptyBlock(histories.length);
  const known = histories.map((history, place) => {
    const purchaseDays = upTo(history.purchaseDays, (day) => day <= cutoff.day);
    const events = upTo(history.events, ({ ms }) => ms < cutoff.ms);
    fillPurchases(block, place, purchaseDays);
    if (events.length > 0) fillEvents(block, place, events);
    const recent = events.filter(({ ms }) => ms >= cutoff.ms - RECENT_MS);
    const recentCartAdds = recent.filter(({ type }) => type === 'cart_add').length;
    return { purchaseDays, recentEvents: recent.length, recentCartAdds };
  });
  return { block, known };
}

/** Returns the first items, up to the last one before the cutoff. */
function upTo<Item>(items: readonly Item[], isBefore: (item: Item) => boolean): readonly Item[] {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(items[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low === items.length ? items : items.slice(0, low);
}

function fillPurchases(block: StatisticsBlock, place: number, days: readonly number[]): void {
  const folded = foldDays(days);
  block.purchaseDays[place] = folded.purchaseDays;
  block.firstDay[place] = folded.firstDay ?? 0;
  block.lastDay[place] = folded.lastDay ?? 0;
  block.logSum[place] = folded.logSum;
  block.logSquares[place] = folded.logSquares;
  block.daySquares[place] = folded.daySquares;
  block.purchaseMonths[place] = folded.purchaseMonths;
}

function fillEvents(block: StatisticsBlock, place: number, events: MemberHistory['events']): void {
  const folded = foldEvents(events);
  block.events[place] = folded.events;
  block.sessions[place] = folded.sessions;
  block.buySessions[place] = folded.buySessions;
  block.firstEventMs[place] = folded.firstEventMs!;
  block.lastEventMs[place] = folded.lastEventMs!;
}
