import type { Context } from '@loyalty/platform/context';
import { anyOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { OrderFacts } from '#generated/schema';

const columns = `o.id, o.external_order_id, o.member_id, o.status, o.currency, o.total_minor,
  o.refunded_minor, o.items, o.occurred_at, o.updated_at`;

export const findOrderFacts = (ctx: Context, ids: readonly string[]): Promise<OrderFacts[]> =>
  ctx.sql.query(
    `SELECT ${columns} FROM commerce.orders AS o
      WHERE ${inScope('o')} AND o.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );

/**
 * A page of the orders of an import or a member. All pages of an import together scan the workspace's orders
 * once.
 */
export async function orderFactsAfter(
  ctx: Context,
  wanted: {
    readonly importId: string | null;
    readonly memberId: string | null;
    readonly afterId: string;
    readonly limit: number;
  },
): Promise<OrderFacts[]> {
  const { importId, memberId, afterId, limit } = wanted;
  return ctx.sql.query(
    `SELECT ${columns} FROM commerce.orders AS o
      WHERE ${inScope('o')} AND o.id > $3
        AND ${importId ? 'o.import_id' : 'o.member_id'} = $4
      ORDER BY o.id LIMIT $5`,
    [...scopeOf(ctx), afterId, importId ?? memberId, limit],
  );
}

/** The orders of a member, as PostgreSQL returns JSON. */
interface RecentOrders {
  readonly memberId: string;
  readonly orders: readonly {
    readonly id: string;
    readonly at: string;
    readonly storeId: string | null;
    readonly netMinor: number;
  }[];
}

/** Orders since a time, by member: one statement for all members. */
export const ordersSince = (
  ctx: Context,
  memberIds: readonly string[],
  since: Date,
): Promise<RecentOrders[]> =>
  ctx.sql.query(
    `SELECT o.member_id,
            jsonb_agg(jsonb_build_object('id', o.id, 'at', o.occurred_at, 'storeId', o.store_id,
                                         'netMinor', o.total_minor - o.refunded_minor)) AS orders
       FROM commerce.orders AS o
      WHERE ${inScope('o')} AND o.member_id = ${anyOf('$3::uuid[]')} AND o.occurred_at > $4
        AND o.status <> 'CANCELLED'
      GROUP BY o.member_id`,
    [...scopeOf(ctx), memberIds, since],
  );

/** The summary of a member's orders. Amounts are in minor units of the most frequent currency. */
export interface OrderSummary {
  readonly orders: number;
  readonly revenueMinor: bigint;
  readonly currency: string | null;
  readonly firstOrderAt: Date | null;
  readonly lastOrderAt: Date | null;
  readonly averageOrderValueMinor: bigint | null;
}

export const summaryByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const rows = await ctx.sql.query<OrderSummary & { readonly memberId: string }>(
    `WITH sums AS (
       SELECT member_id, currency, count(*) AS orders, sum(total_minor - refunded_minor) AS revenue,
              min(occurred_at) AS first_at, max(occurred_at) AS last_at
         FROM commerce.orders
        WHERE ${inScope('orders')} AND member_id = ${anyOf('$3::uuid[]')}
          AND status <> 'CANCELLED'
        GROUP BY member_id, currency
     ), ranked AS (
       SELECT *, row_number() OVER (PARTITION BY member_id
                                        ORDER BY orders DESC, last_at DESC, currency) AS place,
              sum(orders) OVER every AS all_orders, min(first_at) OVER every AS first_order_at,
              max(last_at) OVER every AS last_order_at
         FROM sums WINDOW every AS (PARTITION BY member_id)
     )
     SELECT member_id, all_orders::int AS orders, currency,
            least(revenue, 9223372036854775807)::bigint AS revenue_minor,
            least(div(revenue, orders), 9223372036854775807)::bigint AS average_order_value_minor,
            first_order_at, last_order_at
       FROM ranked WHERE place = 1`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ memberId, ...summary }) => [memberId, summary]));
});
