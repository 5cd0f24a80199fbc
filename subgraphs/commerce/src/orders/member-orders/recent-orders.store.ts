import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { anyOf } from '@loyalty/platform/loading/array-parameters';

/** A member's orders, as JSON of PostgreSQL. */
interface RecentOrders {
  readonly memberId: string;
  readonly orders: readonly {
    readonly id: string;
    readonly at: string;
    readonly storeId: string | null;
    readonly netMinor: number;
  }[];
}

/** Orders of members since a time, by member: one statement for all. */
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
