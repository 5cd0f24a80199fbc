import type { Context } from '@loyalty/platform/context';
import { anyOf } from '@loyalty/platform/database/array-parameters';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import type { OrderItem } from './order-items.ts';

/** A refund of an order, in full or in part. */
export interface Refund {
  readonly id: string;
  readonly orderId: string;
  /** The id of the refund in the workspace's own systems. */
  readonly externalId: string | null;
  readonly amountMinor: bigint;
  readonly reason: string | null;
  readonly items: readonly OrderItem[];
  readonly pointsReversed: number;
  readonly createdAt: Date;
}

const columns = `id, order_id, external_id, amount_minor, reason, items, points_reversed, created_at`;

export const refundsByOrder = loader(async (ctx, orderIds: readonly string[]) => {
  const rows = await ctx.sql.query<Refund>(
    `SELECT ${columns} FROM commerce.refunds
      WHERE ${inScope('refunds')} AND order_id = ${anyOf('$3::uuid[]')} ORDER BY id`,
    [...scopeOf(ctx), orderIds],
  );
  return Map.groupBy(rows, ({ orderId }) => orderId) as ReadonlyMap<string, readonly Refund[]>;
});

/** Finds a refund of an order by its id in the shop's systems. */
export async function findRefund(ctx: Context, orderId: string, externalId: string): Promise<Refund | null> {
  const [row] = await ctx.sql.query<Refund>(
    `SELECT ${columns} FROM commerce.refunds
      WHERE ${inScope('refunds')} AND order_id = $3 AND external_id = $4`,
    [...scopeOf(ctx), orderId, externalId],
  );
  return row ?? null;
}

export async function countRefunds(ctx: Context, orderId: string): Promise<number> {
  const [row] = await ctx.sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM commerce.refunds
      WHERE ${inScope('refunds')} AND order_id = $3`,
    [...scopeOf(ctx), orderId],
  );
  return row?.total ?? 0;
}

export async function insertRefund(ctx: Context, refund: Omit<Refund, 'createdAt'>): Promise<Refund> {
  const { workspaceId, mode } = ctx.scope;
  const { id, orderId, externalId, amountMinor, reason, items, pointsReversed } = refund;
  const [row] = await ctx.sql.query<Refund>(
    `INSERT INTO commerce.refunds (id, workspace_id, mode, order_id, external_id, amount_minor, reason, items,
       points_reversed, created_at)
     VALUES ($1, $2, $3::platform."Mode", $4, $5, $6, $7, $8, $9, $10) RETURNING ${columns}`,
    [
      id,
      workspaceId,
      mode,
      orderId,
      externalId,
      amountMinor,
      reason,
      JSON.stringify(items),
      pointsReversed,
      ctx.clock.now(),
    ],
  );
  return row!;
}

/** Clears the reasons of refunds of a member's orders. */
export async function clearReasons(ctx: Context, memberId: string): Promise<void> {
  await ctx.sql.query(
    `UPDATE commerce.refunds AS r SET reason = NULL FROM commerce.orders AS o
      WHERE ${inScope('o')} AND o.member_id = $3
        AND ${inScope('r')} AND r.order_id = o.id AND r.reason IS NOT NULL`,
    [...scopeOf(ctx), memberId],
  );
}
