import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loaders';
import { type Order, orderById } from './orders.store.ts';

/** Which part of whose orders is wanted. */
export interface MemberOrdersWanted {
  readonly memberId: string;
  /** Rows at most. */
  readonly limit: number;
  /** Orders placed before this one. */
  readonly afterId: string | null;
}

/** Equal wishes must be equal keys for a loader, and only text is. */
export const memberOrdersKey = ({ memberId, limit, afterId }: MemberOrdersWanted): string =>
  [memberId, limit, afterId ?? ''].join(' ');

/** Ids of parts of many members' orders, newest first, in one statement. */
const idsByKey = loader(async (ctx, keys: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const wanted = keys.map((key) => key.split(' '));
  const column = (place: number) => wanted.map((parts) => parts[place] || null);
  const rows = await ctx.sql.query<{ place: number; ids: string[] }>(
    `SELECT w.place::int, ARRAY(
        SELECT o.id FROM commerce.orders AS o
         WHERE o.workspace_id = $1 AND o.mode = $2::platform."Mode" AND o.member_id = w.member_id
           AND (w.after_id IS NULL OR (o.occurred_at, o.id) <
                 (SELECT a.occurred_at, a.id FROM commerce.orders AS a
                   WHERE a.workspace_id = $1 AND a.mode = $2::platform."Mode" AND a.id = w.after_id
                     AND a.member_id = w.member_id))
         ORDER BY o.occurred_at DESC, o.id DESC LIMIT w.rows) AS ids
       FROM unnest($3::uuid[], $4::int[], $5::uuid[]) WITH ORDINALITY AS w(member_id, rows, after_id, place)`,
    [workspaceId, mode, column(0), column(1), column(2)],
  );
  return new Map(rows.map(({ place, ids }) => [keys[place - 1]!, ids]));
});

/** Orders of one wish; the wishes and the orders of many members load together. */
export async function memberOrders(ctx: Context, wanted: MemberOrdersWanted): Promise<Order[]> {
  const ids = (await ctx.load(idsByKey, memberOrdersKey(wanted))) ?? [];
  const found = await Promise.all(ids.map((id) => ctx.load(orderById, id)));
  return found.filter((order) => order !== null);
}

export const orderCountByMember = loader(async (ctx, memberIds: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<{ memberId: string; total: number }>(
    `SELECT member_id AS "memberId", count(*)::int AS total FROM commerce.orders
      WHERE workspace_id = $1 AND mode = $2::platform."Mode" AND member_id = ANY($3::uuid[])
      GROUP BY member_id`,
    [workspaceId, mode, memberIds],
  );
  return new Map(rows.map(({ memberId, total }) => [memberId, total]));
});
