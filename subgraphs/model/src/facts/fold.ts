import { DAY_MS, MINUTE_MS } from '@loyalty/platform/base/clock';
import { isPurchase, type OrderFactStatus } from './fact.ts';
import type { DayOf } from './workspace-day.ts';

/** Version of the fold: a row that another version computed is folded again when it is read. */
export const FOLD_VERSION = 1;

/** Half-life of decayed counts. */
export const HALF_LIFE_DAYS = 30;
/** A session begins with an event this long, or longer, after the previous event. */
const SESSION_GAP_MS = 30 * MINUTE_MS;

/** The fields of an order that the fold needs. */
interface FoldedOrder {
  readonly ms: number;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly status: OrderFactStatus;
}

/** The fields of an event that the fold needs. */
interface FoldedEvent {
  readonly ms: number;
  readonly type: string;
}

/**
 * The fold of orders. Days are counted from 1970-01-01 in the workspace's time zone; null without a purchase.
 */
export interface PurchaseStatistics {
  firstDay: number | null;
  lastDay: number | null;
  purchaseDays: number;
  logSum: number;
  logSquares: number;
  daySquares: number;
  /** A bit for each calendar month with a purchase, January lowest. */
  purchaseMonths: number;
  /** Decayed to `lastDay`. */
  decayedOrders: number;
  amounts: Record<string, { sum: number; squares: number }>;
}

/** The fold of events. Times in ms; null without an event. */
export interface EventStatistics {
  firstEventMs: number | null;
  lastEventMs: number | null;
  events: number;
  sessions: number;
  buySessions: number;
  /** Whether the first and the latest session have a purchase: needed to merge two folds. */
  isFirstBuySession: boolean;
  isBuySession: boolean;
  views: number;
  cartAdds: number;
  cartRemoves: number;
  lastCartMs: number | null;
  /** Decayed to `lastCartMs`. */
  decayedAdds: number;
  decayedRemoves: number;
}

/** Weight of a count of 1 after this many days. */
const decay = (days: number): number => Math.exp((-days / HALF_LIFE_DAYS) * Math.LN2);

/** Folds orders, in any order. A purchase is a day with at least one paid order. */
export function foldOrders(orders: readonly FoldedOrder[], dayOf: DayOf): PurchaseStatistics {
  const amounts: PurchaseStatistics['amounts'] = {};
  const days = new Set<number>();
  for (const order of orders) {
    if (!isPurchase(order)) continue;
    const { ms, amountMinor, currency } = order;
    days.add(dayOf(ms));
    const amount = Number(amountMinor);
    const { sum, squares } = amounts[currency] ?? { sum: 0, squares: 0 };
    amounts[currency] = { sum: sum + amount, squares: squares + amount * amount };
  }
  return { ...foldDays([...days].sort((a, b) => a - b)), amounts };
}

/** Folds days with a purchase: distinct, ascending. */
export function foldDays(days: readonly number[]): Omit<PurchaseStatistics, 'amounts'> {
  const sums = { logSum: 0, logSquares: 0, daySquares: 0, decayedOrders: days.length > 0 ? 1 : 0 };
  const purchaseMonths = days.reduce((bits, day) => bits | (1 << new Date(day * DAY_MS).getUTCMonth()), 0);
  for (let index = 1; index < days.length; index += 1) {
    const gap = days[index]! - days[index - 1]!;
    const log = Math.log(gap);
    sums.logSum += log;
    sums.logSquares += log * log;
    sums.daySquares += gap * gap;
    sums.decayedOrders = sums.decayedOrders * decay(gap) + 1;
  }
  return {
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
    purchaseDays: days.length,
    purchaseMonths,
    ...sums,
  };
}

/** Folds events, which must be sorted by time. */
export function foldEvents(events: readonly FoldedEvent[]): EventStatistics {
  const folded: EventStatistics = {
    firstEventMs: events[0]?.ms ?? null,
    lastEventMs: null,
    events: events.length,
    sessions: 0,
    buySessions: 0,
    isFirstBuySession: false,
    isBuySession: false,
    views: 0,
    cartAdds: 0,
    cartRemoves: 0,
    lastCartMs: null,
    decayedAdds: 0,
    decayedRemoves: 0,
  };
  for (const event of events) foldEvent(folded, event);
  return folded;
}

function foldEvent(folded: EventStatistics, { ms, type }: FoldedEvent): void {
  if (folded.lastEventMs === null || ms - folded.lastEventMs >= SESSION_GAP_MS) {
    folded.sessions += 1;
    folded.isBuySession = false;
  }
  folded.lastEventMs = ms;
  if (type === 'view') folded.views += 1;
  else if (type === 'purchase' && !folded.isBuySession) {
    folded.buySessions += 1;
    folded.isBuySession = true;
    if (folded.sessions === 1) folded.isFirstBuySession = true;
  } else if (type === 'cart_add' || type === 'cart_remove') foldCart(folded, ms, type === 'cart_add');
}

function foldCart(folded: EventStatistics, ms: number, isAdd: boolean): void {
  const left = folded.lastCartMs === null ? 1 : decay((ms - folded.lastCartMs) / DAY_MS);
  folded.lastCartMs = ms;
  folded.decayedAdds = folded.decayedAdds * left + (isAdd ? 1 : 0);
  folded.decayedRemoves = folded.decayedRemoves * left + (isAdd ? 0 : 1);
  if (isAdd) folded.cartAdds += 1;
  else folded.cartRemoves += 1;
}
