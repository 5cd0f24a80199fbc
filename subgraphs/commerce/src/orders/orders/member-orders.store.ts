import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { anyOf, rowsOf } from '@loyalty/platform/loading/array-parameters';
import { loader } from '@loyalty/platform/loading/loaders';
import { pageLoader } from '@loyalty/platform/loading/page-loader';
import type { PageRequest } from '@loyalty/platform/loading/pages';
import { type Order, orderById } from './orders.store.ts';

const orderIds = pageLoader<string, { readonly id: string }>((ctx, wanted) => {
  const { owners, limits, cursorIds, order, beyond } = wanted;
  return ctx.sql.query<{ place: bigint; id: string }>(
    `SELECT w.place, found.id
       FROM ${rowsOf('$3::uuid[], $4::int[], $5::uuid[]')}
         WITH ORDINALITY AS w(member_id, rows, cursor_id, place)
      CROSS JOIN LATERAL (
        SELECT o.id, o.occurred_at FROM commerce.orders AS o
         WHERE ${inScope('o')} AND o.member_id = w.member_id
           AND (w.cursor_id IS NULL OR (o.occurred_at, o.id) ${beyond}
                 (SELECT a.occurred_at, a.id FROM commerce.orders AS a
                   WHERE ${inScope('a')} AND a.id = w.cursor_id
                     AND a.member_id = w.member_id))
         ORDER BY o.occurred_at ${order}, o.id ${order} LIMIT w.rows) AS found
      ORDER BY w.place, found.occurred_at ${order}, found.id ${order}`,
    [...scopeOf(ctx), owners, limits, cursorIds],
  );
});

/** A page of a member's orders; the pages and the orders of many members load together. */
export async function memberOrders(ctx: Context, memberId: string, request: PageRequest): Promise<Order[]> {
  const ids = await orderIds(ctx, memberId, request);
  const found = await Promise.all(ids.map(({ id }) => ctx.load(orderById, id)));
  return found.filter((order) => order !== null);
}

export const orderCountByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const rows = await ctx.sql.query<{ memberId: string; total: number }>(
    `SELECT member_id, count(*)::int AS total FROM commerce.orders
      WHERE ${inScope('orders')} AND member_id = ${anyOf('$3::uuid[]')}
      GROUP BY member_id`,
    [...scopeOf(ctx), memberIds],
  );
  return new Map(rows.map(({ memberId, total }) => [memberId, total]));
});
