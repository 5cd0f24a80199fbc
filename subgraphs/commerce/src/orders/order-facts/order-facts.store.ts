import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import type { OrderItem } from '../orders/order-items.ts';
import type { OrderStatus } from '../orders/orders.store.ts';

/** What the model ingests about an order; amounts in minor units, as text because JSON knows no bigint. */
export interface OrderFacts {
  readonly id: string;
  readonly externalOrderId: string;
  /** Null for guests. */
  readonly memberId: string | null;
  readonly status: OrderStatus;
  readonly currency: string;
  readonly totalMinor: string;
  readonly refundedMinor: string;
  readonly items: readonly OrderItem[];
  readonly occurredAt: Date;
  /** Of two answers about one order, the later is valid. */
  readonly updatedAt: Date;
}

const columns = `o.id, o.external_order_id, o.member_id, o.status, o.currency,
  o.total_minor::text AS total_minor, o.refunded_minor::text AS refunded_minor, o.items, o.occurred_at,
  o.updated_at`;

export const findOrderFacts = (ctx: Context, ids: readonly string[]): Promise<OrderFacts[]> =>
  ctx.sql.query(
    `SELECT ${columns} FROM commerce.orders AS o
      WHERE ${inScope('o')} AND o.id = ANY($3::uuid[])`,
    [...scopeOf(ctx), ids],
  );

/** Of one import or one member; all pages of an import together read the workspace's orders once. */
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
