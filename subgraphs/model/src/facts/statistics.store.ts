import type { Context } from '@loyalty/platform/context';
import { rowsOf } from '@loyalty/platform/database/array-parameters';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { plainArray, textArray } from './array-literals.ts';
import { type EventStatistics, FOLD_VERSION, type PurchaseStatistics } from './fold.ts';

/** The statistics that the model needs; days since 1970-01-01, times in ms. */
export type Statistics = Omit<PurchaseStatistics, 'amounts'> &
  Pick<
    EventStatistics,
    | 'events'
    | 'sessions'
    | 'buySessions'
    | 'firstEventMs'
    | 'lastEventMs'
    | 'lastCartMs'
    | 'decayedAdds'
    | 'decayedRemoves'
  > & { maxOccurredMs: number | null };

/** A row with its version and the fields that decide whether it may be used. */
export interface StatisticsRow extends Statistics {
  readonly memberId: string;
  readonly isDirty: boolean;
  readonly timeZone: string;
  readonly version: number;
  /** Changes with every update. */
  readonly rowVersion: string;
}

const ms = (column: string) => `(extract(epoch FROM t.${column}) * 1000)::float8`;
const columns = `t.member_id, t.is_dirty, t.time_zone, t.version,
  t.xmin::text AS row_version,
  t.first_day - date '1970-01-01' AS first_day,
  t.last_day - date '1970-01-01' AS last_day, t.purchase_days, t.log_sum, t.log_squares, t.day_squares,
  t.purchase_months, t.decayed_orders, t.events, t.sessions, t.buy_sessions,
  ${ms('first_event_at')} AS first_event_ms,
  ${ms('last_event_at')} AS last_event_ms, ${ms('last_cart_at')} AS last_cart_ms, t.decayed_adds,
  t.decayed_removes,
  ${ms('max_occurred_at')} AS max_occurred_ms`;

/** A row with its place, counted from 0, in the list of ids. */
type PlacedRow = StatisticsRow & { readonly place: number };

/**
 * Returns the rows of members (a member without facts has none) and the carts of all members, in one
 * statement.
 */
export async function statisticsOf(
  ctx: Context,
  memberIds: readonly string[],
): Promise<{ readonly rows: PlacedRow[]; readonly carts: CartCounts | null }> {
  // One index lookup for each id: a plan that the planner makes while the table is small would scan the whole
  // table once it is large.
  const found = await ctx.sql.query<Partial<StatisticsRow> & CartCounts & { place: number }>(
    `SELECT (w.place - 1)::int AS place, r.*, c.cart_adds AS adds, c.cart_removes AS removes
       FROM ${rowsOf('$3::uuid[]')} WITH ORDINALITY AS w(member_id, place)
       LEFT JOIN LATERAL (
              SELECT ${columns} FROM model.member_statistics AS t
               WHERE ${inScope('t')} AND t.member_id = w.member_id
              OFFSET 0) AS r ON true
       LEFT JOIN model.workspace_statistics AS c ON ${inScope('c')}`,
    [...scopeOf(ctx), plainArray(memberIds)],
  );
  const rows = found.filter(({ memberId }) => memberId) as unknown as PlacedRow[];
  return { rows, carts: found[0] ?? null };
}

/** Returns the next rows, sorted by member. */
export async function statisticsAfter(
  ctx: Context,
  afterMemberId: string,
  limit: number,
): Promise<StatisticsRow[]> {
  return ctx.sql.query(
    `SELECT ${columns} FROM model.member_statistics AS t
      WHERE ${inScope('t')} AND t.member_id > $3
      ORDER BY t.member_id LIMIT $4`,
    [...scopeOf(ctx), afterMemberId, limit],
  );
}

/** All values of a row, folded from all facts of its member. */
export type FoldedRow = PurchaseStatistics &
  EventStatistics & {
    readonly memberId: string;
    readonly rowVersion: string;
    readonly maxOccurredMs: number | null;
  };

const replaced: readonly (readonly [column: string, type: string, value: (row: FoldedRow) => unknown])[] = [
  ['first_day', 'day', ({ firstDay }) => firstDay],
  ['last_day', 'day', ({ lastDay }) => lastDay],
  ['purchase_days', 'int', ({ purchaseDays }) => purchaseDays],
  ['log_sum', 'float8', ({ logSum }) => logSum],
  ['log_squares', 'float8', ({ logSquares }) => logSquares],
  ['day_squares', 'float8', ({ daySquares }) => daySquares],
  ['purchase_months', 'int2', ({ purchaseMonths }) => purchaseMonths],
  ['decayed_orders', 'float8', ({ decayedOrders }) => decayedOrders],
  ['first_event_at', 'ms', ({ firstEventMs }) => firstEventMs],
  ['last_event_at', 'ms', ({ lastEventMs }) => lastEventMs],
  ['events', 'int', ({ events }) => events],
  ['sessions', 'int', ({ sessions }) => sessions],
  ['buy_sessions', 'int', ({ buySessions }) => buySessions],
  ['is_first_buy_session', 'bool', ({ isFirstBuySession }) => isFirstBuySession],
  ['is_buy_session', 'bool', ({ isBuySession }) => isBuySession],
  ['views', 'int', ({ views }) => views],
  ['cart_adds', 'int', ({ cartAdds }) => cartAdds],
  ['cart_removes', 'int', ({ cartRemoves }) => cartRemoves],
  ['last_cart_at', 'ms', ({ lastCartMs }) => lastCartMs],
  ['decayed_adds', 'float8', ({ decayedAdds }) => decayedAdds],
  ['decayed_removes', 'float8', ({ decayedRemoves }) => decayedRemoves],
  ['max_occurred_at', 'ms', ({ maxOccurredMs }) => maxOccurredMs],
];
const sqlTypes: Readonly<Record<string, readonly [type: string, read: (name: string) => string]>> = {
  day: ['int', (name) => `date '1970-01-01' + f.${name}`],
  ms: ['float8', (name) => `to_timestamp(f.${name} / 1000)`],
};
const read = (column: string, type: string) => sqlTypes[type]?.[1](column) ?? `f.${column}`;

/** Skips rows that were changed meanwhile or are locked; the next reader replaces them. */
const REPLACE = `
  WITH free AS MATERIALIZED (
    SELECT t.member_id FROM unnest($4::uuid[], $5::text[]) AS w(member_id, row_version)
      JOIN model.member_statistics AS t
        ON ${inScope('t')} AND t.member_id = w.member_id
       AND t.xmin::text = w.row_version
       FOR NO KEY UPDATE OF t SKIP LOCKED
  )
  UPDATE model.member_statistics AS t
     SET is_dirty = false, time_zone = $3, version = ${FOLD_VERSION}, amounts = f.amounts,
         ${replaced.map(([column, type]) => `${column} = ${read(column, type)}`).join(', ')}
    FROM unnest($4::uuid[], $6::jsonb[], ${replaced
      .map(([, type], index) => `$${index + 7}::${sqlTypes[type]?.[0] ?? type}[]`)
      .join(', ')}) AS f(member_id, amounts, ${replaced.map(([column]) => column).join(', ')})
    JOIN free USING (member_id)
   WHERE ${inScope('t')} AND t.member_id = free.member_id`;

/** Replaces rows that have not changed since they were read. */
export async function replaceRows(ctx: Context, timeZone: string, rows: readonly FoldedRow[]): Promise<void> {
  await ctx.sql.query(REPLACE, [
    ...scopeOf(ctx),
    timeZone,
    plainArray(rows.map(({ memberId }) => memberId)),
    plainArray(rows.map(({ rowVersion }) => rowVersion)),
    textArray(rows.map(({ amounts }) => JSON.stringify(amounts))),
    ...replaced.map(([, , value]) => plainArray(rows.map((row) => String(value(row) ?? 'NULL')))),
  ]);
}

/** Cart additions and removals of all members; null if there are none. */
export interface CartCounts {
  readonly adds: bigint | null;
  readonly removes: bigint | null;
}

export async function cartCounts(ctx: Context): Promise<CartCounts | null> {
  const [row] = await ctx.sql.query<CartCounts>(
    `SELECT cart_adds AS adds, cart_removes AS removes FROM model.workspace_statistics
      WHERE ${inScope()}`,
    scopeOf(ctx),
  );
  return row ?? null;
}
