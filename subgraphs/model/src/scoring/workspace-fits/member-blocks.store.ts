import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

export type FactTable = 'order_line_facts' | 'event_facts' | 'channel_receipt_facts';

/** The member with which a block of about `size` facts ends; null where fewer are left from `fromId` on. */
export async function endOfBlock(
  ctx: Context,
  table: FactTable,
  { fromId, since }: { readonly fromId: string; readonly since: Date },
  size: number,
): Promise<string | null> {
  const [row] = await ctx.sql.query<{ id: string }>(
    `SELECT member_id AS id FROM model.${table}
      WHERE ${inScope()} AND member_id >= $3 AND occurred_at > $4
      ORDER BY member_id LIMIT 1 OFFSET $5`,
    [...scopeOf(ctx), fromId, since, size],
  );
  return row?.id ?? null;
}
