import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import type { OrderFacts } from '#generated/schema';

const columns = `o.id, o.external_order_id, o.member_id, o.status, o.currency, o.total_minor,
  o.refunded_minor, o.items, o.occurred_at, o.updated_at`;

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
