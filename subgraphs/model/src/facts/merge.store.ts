import type { Context } from '@loyalty/platform/context';
import { plainArray, textArray } from './array-literals.ts';
import { type EventStatistics, FOLD_VERSION, HALF_LIFE_DAYS, type PurchaseStatistics } from './fold.ts';

// A row and the delta of its member are two folds; merged, they are the fold of both. Nothing is read before
// it is written, and concurrent imports wait for each other row by row. If the delta is not later than the
// row, the row becomes dirty: its numbers are approximate, and it is folded again when it is read.

interface StatisticsDelta {
  readonly memberId: string;
  readonly maxOccurredMs: number;
}
export type PurchaseDelta = StatisticsDelta & PurchaseStatistics;
export type EventDelta = StatisticsDelta & EventStatistics;

const NOW_DIRTY = `t.is_dirty OR t.time_zone <> excluded.time_zone OR t.version <> excluded.version`;
const LATEST = 'max_occurred_at = greatest(t.max_occurred_at, excluded.max_occurred_at)';

/** The decay factor after this many days; at most 1. */
const left = (days: string) => `exp(greatest(${days}, 0) * -ln(2::float8) / ${HALF_LIFE_DAYS})`;

const GAP = '(excluded.first_day - t.last_day)';
/** A term for the gap between both folds, if there is one. */
const overGap = (of: string) => `CASE WHEN ${GAP} > 0 THEN ${of} ELSE 0 END`;

const MERGE_PURCHASES = `
  INSERT INTO model.member_statistics AS t
    (workspace_id, mode, member_id, time_zone, version, max_occurred_at, first_day, last_day, purchase_days,
     log_sum, log_squares, day_squares, purchase_months, decayed_orders, amounts)
  SELECT $1, $2::platform."Mode", s.member_id, $3, ${FOLD_VERSION}, to_timestamp(s.max_ms / 1000),
         date '1970-01-01' + s.first_day, date '1970-01-01' + s.last_day, s.purchase_days, s.log_sum,
         s.log_squares, s.day_squares, s.purchase_months, s.decayed_orders, s.amounts
    FROM unnest($4::uuid[], $5::float8[], $6::int[], $7::int[], $8::int[], $9::float8[], $10::float8[],
                $11::float8[], $12::int2[], $13::float8[], $14::jsonb[])
           AS s(member_id, max_ms, first_day, last_day, purchase_days, log_sum, log_squares, day_squares,
                purchase_months, decayed_orders, amounts)
  ON CONFLICT (workspace_id, mode, member_id) DO UPDATE
     SET ${LATEST},
         is_dirty = ${NOW_DIRTY} OR coalesce(${GAP} < 0, false),
         first_day = coalesce(t.first_day, excluded.first_day),
         last_day = coalesce(excluded.last_day, t.last_day),
         purchase_days = t.purchase_days + excluded.purchase_days
                         - CASE WHEN ${GAP} = 0 THEN 1 ELSE 0 END,
         log_sum = t.log_sum + excluded.log_sum + ${overGap(`ln(${GAP}::float8)`)},
         log_squares = t.log_squares + excluded.log_squares + ${overGap(`ln(${GAP}::float8) ^ 2`)},
         day_squares = t.day_squares + excluded.day_squares + ${overGap(`${GAP}::float8 ^ 2`)},
         purchase_months = t.purchase_months | excluded.purchase_months,
         decayed_orders = CASE
           WHEN excluded.last_day IS NULL THEN t.decayed_orders
           WHEN t.last_day IS NULL THEN excluded.decayed_orders
           ELSE excluded.decayed_orders
                + (t.decayed_orders - CASE WHEN ${GAP} = 0 THEN 1 ELSE 0 END)
                  * ${left('excluded.last_day - t.last_day')} END,
         amounts = CASE
           WHEN excluded.amounts = '{}' THEN t.amounts
           WHEN t.amounts = '{}' THEN excluded.amounts
           ELSE (SELECT jsonb_object_agg(a.key, a.total)
                   FROM (SELECT e.key, jsonb_build_object('sum', sum((e.value ->> 'sum')::numeric),
                                         'squares', sum((e.value ->> 'squares')::numeric)) AS total
                           FROM (SELECT * FROM jsonb_each(t.amounts)
                                  UNION ALL SELECT * FROM jsonb_each(excluded.amounts)) AS e
                          GROUP BY e.key) AS a) END`;

/** Merges deltas of new orders into the statistics of their members, who are distinct and sorted. */
export async function mergePurchases(
  tx: Context,
  timeZone: string,
  deltas: readonly PurchaseDelta[],
): Promise<void> {
  const column = (value: (delta: PurchaseDelta) => number | string | null) =>
    plainArray(deltas.map((delta) => value(delta) ?? 'NULL'));
  await tx.sql.query(MERGE_PURCHASES, [
    tx.scope.workspaceId,
    tx.scope.mode,
    timeZone,
    column(({ memberId }) => memberId),
    column(({ maxOccurredMs }) => maxOccurredMs),
    column(({ firstDay }) => firstDay),
    column(({ lastDay }) => lastDay),
    column(({ purchaseDays }) => purchaseDays),
    column(({ logSum }) => logSum),
    column(({ logSquares }) => logSquares),
    column(({ daySquares }) => daySquares),
    column(({ purchaseMonths }) => purchaseMonths),
    column(({ decayedOrders }) => decayedOrders),
    textArray(deltas.map(({ amounts }) => JSON.stringify(amounts))),
  ]);
}

const JOINED = `t.last_event_at + interval '30 minutes' > excluded.first_event_at`;
const CART_DAYS = 'extract(epoch FROM excluded.last_cart_at - t.last_cart_at)::float8 / 86400';
const decayedCart = (column: string) => `CASE
           WHEN excluded.last_cart_at IS NULL THEN t.${column}
           WHEN t.last_cart_at IS NULL THEN excluded.${column}
           ELSE excluded.${column}
                + t.${column} * ${left(CART_DAYS)} END`;

const MERGE_EVENTS = `
  INSERT INTO model.member_statistics AS t
    (workspace_id, mode, member_id, time_zone, version, max_occurred_at, first_event_at, last_event_at,
     events, sessions, buy_sessions, is_first_buy_session, is_buy_session, views, cart_adds, cart_removes,
     last_cart_at, decayed_adds, decayed_removes)
  SELECT $1, $2::platform."Mode", s.member_id, $3, ${FOLD_VERSION}, to_timestamp(s.last_ms / 1000),
         to_timestamp(s.first_ms / 1000), to_timestamp(s.last_ms / 1000), s.events, s.sessions,
         s.buy_sessions, s.is_first_buy, s.is_buy, s.views, s.adds, s.removes,
         to_timestamp(s.last_cart_ms / 1000), s.decayed_adds, s.decayed_removes
    FROM unnest($4::uuid[], $5::float8[], $6::float8[], $7::int[], $8::int[], $9::int[], $10::bool[],
                $11::bool[], $12::int[], $13::int[], $14::int[], $15::float8[], $16::float8[], $17::float8[])
           AS s(member_id, first_ms, last_ms, events, sessions, buy_sessions, is_first_buy, is_buy, views,
                adds, removes, last_cart_ms, decayed_adds, decayed_removes)
  ON CONFLICT (workspace_id, mode, member_id) DO UPDATE
     SET ${LATEST},
         is_dirty = ${NOW_DIRTY} OR coalesce(excluded.first_event_at < t.last_event_at, false),
         first_event_at = least(t.first_event_at, excluded.first_event_at),
         last_event_at = greatest(t.last_event_at, excluded.last_event_at),
         events = t.events + excluded.events,
         sessions = t.sessions + excluded.sessions - CASE WHEN ${JOINED} THEN 1 ELSE 0 END,
         buy_sessions = t.buy_sessions + excluded.buy_sessions
           - CASE WHEN ${JOINED} AND t.is_buy_session AND excluded.is_first_buy_session THEN 1 ELSE 0 END,
         is_first_buy_session = CASE
           WHEN t.sessions = 0 THEN excluded.is_first_buy_session
           WHEN t.sessions = 1 AND ${JOINED} THEN t.is_first_buy_session OR excluded.is_first_buy_session
           ELSE t.is_first_buy_session END,
         is_buy_session = CASE
           WHEN excluded.sessions = 1 AND ${JOINED} THEN t.is_buy_session OR excluded.is_buy_session
           ELSE excluded.is_buy_session END,
         views = t.views + excluded.views,
         cart_adds = t.cart_adds + excluded.cart_adds,
         cart_removes = t.cart_removes + excluded.cart_removes,
         last_cart_at = greatest(t.last_cart_at, excluded.last_cart_at),
         decayed_adds = ${decayedCart('decayed_adds')},
         decayed_removes = ${decayedCart('decayed_removes')}`;

/** Merges deltas of new events into the statistics of their members, who are distinct and sorted. */
export async function mergeEvents(
  tx: Context,
  timeZone: string,
  deltas: readonly EventDelta[],
): Promise<void> {
  const column = (value: (delta: EventDelta) => number | string | boolean | null) =>
    plainArray(deltas.map((delta) => value(delta) ?? 'NULL'));
  await tx.sql.query(MERGE_EVENTS, [
    tx.scope.workspaceId,
    tx.scope.mode,
    timeZone,
    column(({ memberId }) => memberId),
    column(({ firstEventMs }) => firstEventMs),
    column(({ lastEventMs }) => lastEventMs),
    column(({ events }) => events),
    column(({ sessions }) => sessions),
    column(({ buySessions }) => buySessions),
    column(({ isFirstBuySession }) => isFirstBuySession),
    column(({ isBuySession }) => isBuySession),
    column(({ views }) => views),
    column(({ cartAdds }) => cartAdds),
    column(({ cartRemoves }) => cartRemoves),
    column(({ lastCartMs }) => lastCartMs),
    column(({ decayedAdds }) => decayedAdds),
    column(({ decayedRemoves }) => decayedRemoves),
  ]);
}

/**
 * Marks members (distinct and sorted) whose facts changed in a way that cannot be merged; a new row has no
 * time zone yet.
 */
export async function markDirty(
  tx: Context,
  memberIds: readonly string[],
  maxOccurredAt: readonly Date[],
): Promise<void> {
  await tx.sql.query(
    `INSERT INTO model.member_statistics AS t
       (workspace_id, mode, member_id, time_zone, version, is_dirty, max_occurred_at)
     SELECT $1, $2::platform."Mode", s.member_id, '', ${FOLD_VERSION}, true, s.max_occurred_at
       FROM unnest($3::uuid[], $4::timestamptz[]) AS s(member_id, max_occurred_at)
     ON CONFLICT (workspace_id, mode, member_id) DO UPDATE SET ${LATEST}, is_dirty = true`,
    [tx.scope.workspaceId, tx.scope.mode, memberIds, maxOccurredAt],
  );
}

/** Adds to the workspace's counts of cart additions and removals of all members. */
export async function addToCartPool(tx: Context, adds: number, removes: number): Promise<void> {
  await tx.sql.query(
    `INSERT INTO model.workspace_statistics AS t (workspace_id, mode, cart_adds, cart_removes)
     VALUES ($1, $2::platform."Mode", $3, $4)
     ON CONFLICT (workspace_id, mode) DO UPDATE
        SET cart_adds = t.cart_adds + excluded.cart_adds,
            cart_removes = t.cart_removes + excluded.cart_removes`,
    [tx.scope.workspaceId, tx.scope.mode, adds, removes],
  );
}
