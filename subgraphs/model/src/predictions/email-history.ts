import { DAY_MS } from '@loyalty/platform/base/clock';
import { HALF_LIFE_DAYS } from '../facts/fold.ts';

/** One mail to a member; times in ms since 1970. */
export interface TimedEmail {
  readonly sentMs: number;
  /** In days since 1970-01-01 of the workspace's time zone. */
  readonly sentDay: number;
  /** The time of the first open or click. */
  readonly openedMs: number | null;
  readonly clickedMs: number | null;
}

/** The data known about a member before one moment. */
interface EmailHistory {
  readonly sends: number;
  readonly opens: number;
  readonly clicks: number;
  /** The latest open or click. */
  readonly lastTouchMs: number | null;
  readonly firstSendDay: number | null;
  readonly firstPurchaseDay: number | null;
  readonly lastPurchaseDay: number | null;
  /** Purchase days, decayed with a half-life of 30 days to the last of them. */
  readonly decayedOrders: number;
}

interface Moment {
  readonly ms: number;
  readonly day: number;
}

/** The average rates of the workspace's members. */
export interface EmailRates {
  readonly open: number;
  readonly click: number;
}

/** The features of the model in this order; each is made from one raw number. */
export const FEATURES = [
  'sends',
  'open_rate',
  'click_rate',
  'days_since_touch',
  'tenure',
  'recency',
  'decayed_orders',
] as const;

/** Weight of the workspace's rates in a member's rates, in mails. */
const RATE_PRIOR = 10;
const TOUCH_DAYS_MAX = 365;
const RECENCY_DAYS_MAX = 730;

const decay = (days: number): number => Math.exp((-Math.LN2 * days) / HALF_LIFE_DAYS);

/** Returns the raw features of a history at a moment, before the workspace's rates are known. */
export function rawOf(history: EmailHistory, at: Moment): number[] {
  const { sends, opens, clicks, lastTouchMs, firstSendDay, firstPurchaseDay, lastPurchaseDay } = history;
  const firstDay = Math.min(firstSendDay ?? at.day, firstPurchaseDay ?? at.day);
  const touchDays = lastTouchMs === null ? TOUCH_DAYS_MAX : (at.ms - lastTouchMs) / DAY_MS;
  const recencyDays = lastPurchaseDay === null ? RECENCY_DAYS_MAX : at.day - lastPurchaseDay;
  return [
    sends,
    opens,
    clicks,
    Math.min(TOUCH_DAYS_MAX, Math.max(0, touchDays)),
    Math.max(0, at.day - firstDay),
    Math.min(RECENCY_DAYS_MAX, Math.max(0, recencyDays)),
    lastPurchaseDay === null ? 0 : history.decayedOrders * decay(Math.max(0, at.day - lastPurchaseDay)),
  ];
}

/** Writes the features of `raw` to `into` from index `at`; durations and numbers of mails as logarithms. */
export function writeFeatures(
  raw: ArrayLike<number>,
  rates: EmailRates,
  into: Float64Array | number[],
  at = 0,
): void {
  const sends = raw[0]!;
  into[at] = Math.log1p(sends);
  into[at + 1] = (raw[1]! + RATE_PRIOR * rates.open) / (sends + RATE_PRIOR);
  into[at + 2] = (raw[2]! + RATE_PRIOR * rates.click) / (sends + RATE_PRIOR);
  into[at + 3] = Math.log1p(raw[3]!);
  into[at + 4] = Math.log1p(raw[4]!);
  into[at + 5] = Math.log1p(raw[5]!);
  into[at + 6] = raw[6]!;
}

/**
 * Returns the member's history strictly before each of its mails; purchase days up to the day before.
 *
 * @param mails - sorted by sending time
 * @param purchaseDays - ascending
 */
export function historiesOf(mails: readonly TimedEmail[], purchaseDays: readonly number[]): EmailHistory[] {
  const opened = timesOf(mails, ({ openedMs }) => openedMs);
  const clicked = timesOf(mails, ({ clickedMs }) => clickedMs);
  const before = { sends: 0, opens: 0, clicks: 0, purchases: 0 };
  let decayedOrders = 0;
  return mails.map(({ sentMs, sentDay }) => {
    while (mails[before.sends]!.sentMs < sentMs) before.sends += 1;
    while (opened[before.opens]! < sentMs) before.opens += 1;
    while (clicked[before.clicks]! < sentMs) before.clicks += 1;
    while (purchaseDays[before.purchases]! < sentDay) {
      const days = before.purchases === 0 ? 0 : daysBetween(purchaseDays, before.purchases);
      decayedOrders = decayedOrders * decay(days) + 1;
      before.purchases += 1;
    }
    const touches = [opened[before.opens - 1], clicked[before.clicks - 1]].filter((ms) => ms !== undefined);
    const { sends, opens, clicks } = before;
    return {
      ...{ sends, opens, clicks, decayedOrders },
      lastTouchMs: touches.length > 0 ? Math.max(...touches) : null,
      firstSendDay: sends > 0 ? mails[0]!.sentDay : null,
      firstPurchaseDay: before.purchases > 0 ? purchaseDays[0]! : null,
      lastPurchaseDay: purchaseDays[before.purchases - 1] ?? null,
    };
  });
}

const daysBetween = (days: readonly number[], place: number): number => days[place]! - days[place - 1]!;

const timesOf = (mails: readonly TimedEmail[], time: (mail: TimedEmail) => number | null): number[] =>
  mails
    .map(time)
    .filter((ms) => ms !== null)
    .sort((a, b) => a - b);
