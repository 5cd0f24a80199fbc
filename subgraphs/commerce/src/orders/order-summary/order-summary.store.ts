import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import { anyOf } from '@loyalty/platform/loading/array-parameters';
import { loader } from '@loyalty/platform/loading/loaders';

/** What a member bought so far; amounts in minor units of the currency that most orders have. */
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
