import { dayOf, quarterHourOf } from '@loyalty/platform/base/quarter-hours';
import type { Context } from '@loyalty/platform/context';
import { arraysOf } from '@loyalty/platform/database/array-parameters';
import type { DayRange } from '@loyalty/platform/database/day-range';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { PublishedEvent } from '@loyalty/platform/work/events';

export interface SalesDay {
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly currency: string;
  readonly orders: number;
  readonly totalMinor: bigint;
  readonly refundedMinor: bigint;
}

/** A change of the statistics: an order that counts, or one that no longer counts. */
export interface Sale {
  readonly occurredAt: Date | string;
  readonly currency: string;
  /** 1 to add an order, -1 to subtract it, 0 for a cancelled order. */
  readonly orders: number;
  /** Has the same sign as `orders`. */
  readonly totalMinor: bigint;
}

/**
 * Adds to rows of quarters of an hour. Rows are written in the order of their keys, so that two writers
 * cannot deadlock.
 */
const addTo = (columns: string, selected: string, added: string): string => `
  INSERT INTO commerce.sales_periods AS p (workspace_id, mode, starts_at, currency, ${columns})
  ${selected}
   GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (workspace_id, mode, starts_at, currency) DO UPDATE SET ${added}`;

const ADDED_ORDERS = `orders = p.orders + excluded.orders,
       total_minor = p.total_minor + excluded.total_minor`;

const NAMED = 'unnest($1::uuid[], $2::platform."Mode"[], $3::uuid[]) AS n(workspace_id, mode, id)';

const namedBy = (events: readonly PublishedEvent[], idOf: (payload: never) => string): unknown[] => [
  ...arraysOf(events, 'workspaceId', 'mode'),
  events.map(({ payload }) => idOf(payload as never)),
];

/** Adds the orders of events of any workspaces. */
export async function addOrders(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.sql.query(
    addTo(
      'orders, total_minor',
      `SELECT o.workspace_id, o.mode, ${quarterHourOf('o.occurred_at')}, o.currency, count(*),
              sum(o.total_minor)
         FROM ${NAMED}
         JOIN commerce.orders AS o
           ON o.workspace_id = n.workspace_id AND o.mode = n.mode AND o.id = n.id
          AND o.status <> 'CANCELLED'`,
      ADDED_ORDERS,
    ),
    namedBy(events, ({ orderId }: { orderId: string }) => orderId),
  );
}

/** Adds the refunds of events of any workspaces. */
export async function addRefunds(tx: Context, events: readonly PublishedEvent[]): Promise<void> {
  if (events.length === 0) return;
  await tx.sql.query(
    addTo(
      'refunded_minor',
      `SELECT r.workspace_id, r.mode, ${quarterHourOf('r.created_at')}, o.currency, sum(r.amount_minor)
         FROM ${NAMED}
         JOIN commerce.refunds AS r
           ON r.workspace_id = n.workspace_id AND r.mode = n.mode AND r.id = n.id
         JOIN commerce.orders AS o
           ON o.workspace_id = r.workspace_id AND o.mode = r.mode AND o.id = r.order_id`,
      'refunded_minor = p.refunded_minor + excluded.refunded_minor',
    ),
    namedBy(events, ({ refundId }: { refundId: string }) => refundId),
  );
}

/** Adds sales of one workspace that have no events, such as imported orders. */
export async function addSales(tx: Context, sales: readonly Sale[]): Promise<void> {
  if (sales.length === 0) return;
  await tx.sql.query(
    addTo(
      'orders, total_minor',
      `SELECT $1::uuid, $2::platform."Mode", ${quarterHourOf('s.occurred_at')}, s.currency, sum(s.orders),
              sum(s.total_minor)
         FROM unnest($3::timestamptz[], $4::text[], $5::int[], $6::int8[])
                AS s(occurred_at, currency, orders, total_minor)`,
      ADDED_ORDERS,
    ),
    [...scopeOf(tx), ...arraysOf(sales, 'occurredAt', 'currency', 'orders', 'totalMinor')],
  );
}

/** Returns sales by day. Days without sales and refunds are omitted. */
export const salesByDay = (ctx: Context, { from, to, timeZone }: DayRange): Promise<SalesDay[]> =>
  ctx.sql.query(
    `SELECT ${dayOf('p.starts_at', '$5')} AS date, p.currency, sum(p.orders)::int AS orders,
            sum(p.total_minor)::int8 AS total_minor, sum(p.refunded_minor)::int8 AS refunded_minor
       FROM commerce.sales_periods AS p
      WHERE ${inScope('p')} AND p.starts_at >= $3 AND p.starts_at < $4
      GROUP BY 1, 2`,
    [...scopeOf(ctx), from, to, timeZone],
  );
