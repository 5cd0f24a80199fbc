import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import type { SuppressionReason } from './suppressions.store.ts';

/** An address with one reason why it is suppressed. */
export interface SuppressedAddress {
  readonly id: string;
  readonly reason: SuppressionReason;
  readonly since: Date;
  /** Of the last message to the address. */
  readonly memberId: string | null;
}

export async function suppressedAddressesPage(
  ctx: Context,
  reason: SuppressionReason | null,
  request: PageRequest,
): Promise<Page<SuppressedAddress>> {
  const { order, beyond } = scan(request);
  const where = `${inScope('s')} AND ($3::engagement."SuppressionReason" IS NULL OR s.reason = $3)`;
  const rows = await ctx.sql.query<SuppressedAddress>(
    `SELECT s.id, s.reason, s.created_at AS since, m.member_id
       FROM (SELECT s.* FROM engagement.suppressions AS s
              WHERE ${where} AND ($4::uuid IS NULL OR s.id ${beyond} $4)
              ORDER BY s.id ${order} LIMIT $5 OFFSET $6) AS s
       LEFT JOIN LATERAL (
            SELECT m.member_id FROM engagement.messages AS m
             WHERE ${inScope('m')} AND m.email_index = s.email_index AND m.member_id IS NOT NULL
               AND m.email_index <> ''
             ORDER BY m.id DESC LIMIT 1) AS m ON true
      ORDER BY s.id ${order}`,
    [...scopeOf(ctx), reason, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const [counted] = await ctx.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM engagement.suppressions AS s WHERE ${where}`,
      [...scopeOf(ctx), reason],
    );
    return counted?.total ?? 0;
  });
}

/** @returns ids of what was deleted */
export async function deleteBounced(tx: Context, indexes: readonly string[]): Promise<string[]> {
  const rows = await tx.sql.query<{ id: string }>(
    `DELETE FROM engagement.suppressions
      WHERE ${inScope()} AND email_index = ANY($3::text[]) AND reason = 'BOUNCED' RETURNING id`,
    [...scopeOf(tx), indexes],
  );
  return rows.map(({ id }) => id);
}
