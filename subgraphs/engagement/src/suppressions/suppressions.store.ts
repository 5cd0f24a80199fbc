import { newId } from '@loyalty/platform/base/ids';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

export type SuppressionReason = 'UNSUBSCRIBED' | 'BOUNCED' | 'COMPLAINED';

/** The reasons why an address must not be mailed, and the time of the first reason. */
export interface SuppressionState {
  readonly isUnsubscribed: boolean;
  readonly reasons: readonly SuppressionReason[];
  /** Time of the first reason; null without a reason. */
  readonly since: Date | null;
}

interface Row {
  readonly emailIndex: string;
  readonly reason: SuppressionReason;
  readonly createdAt: Date;
}

export const suppressionByIndex = loader(async (ctx, indexes: readonly string[]) => {
  const byIndex = Map.groupBy(await rowsOf(ctx, indexes), ({ emailIndex }) => emailIndex);
  return new Map([...byIndex].map(([emailIndex, rows]) => [emailIndex, summary(rows)]));
});

/** Returns the suppression reasons by index. Addresses without a reason are omitted. */
export async function reasonsByIndex(
  ctx: Context,
  indexes: readonly string[],
): Promise<ReadonlyMap<string, readonly SuppressionReason[]>> {
  const byIndex = Map.groupBy(await rowsOf(ctx, indexes), ({ emailIndex }) => emailIndex);
  return new Map([...byIndex].map(([emailIndex, rows]) => [emailIndex, summary(rows).reasons]));
}

/** Returns the suppression of an address, which may be stored under any of several indexes. */
export async function suppressionOf(ctx: Context, indexes: readonly string[]): Promise<SuppressionState> {
  return summary(await rowsOf(ctx, indexes));
}

/**
 * Inserts an address under all its indexes. Has no effect if it is unsubscribed already under any of them.
 */
export async function insertUnsubscribed(
  ctx: Context,
  indexes: readonly string[],
): Promise<{ readonly id: string; readonly emailIndex: string }[]> {
  return ctx.sql.query(
    `INSERT INTO engagement.suppressions (id, workspace_id, mode, email_index, reason, created_at)
     SELECT n.id, $1, $2::platform."Mode", n.email_index, 'UNSUBSCRIBED', $5
       FROM unnest($3::uuid[], $4::text[]) AS n(id, email_index)
      WHERE NOT EXISTS (
            SELECT FROM engagement.suppressions
             WHERE ${inScope()} AND email_index = ANY($4::text[])
               AND reason = 'UNSUBSCRIBED')
     ON CONFLICT (workspace_id, mode, email_index, reason) DO NOTHING
     RETURNING id, email_index`,
    [...scopeOf(ctx), indexes.map(() => newId(ctx.clock)), indexes, ctx.clock.now()],
  );
}

/** Inserts addresses that are not stored for this reason already. */
export async function insertSuppressed(
  ctx: Context,
  indexes: readonly string[],
  reason: 'BOUNCED' | 'COMPLAINED',
): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO engagement.suppressions (id, workspace_id, mode, email_index, reason, created_at)
     SELECT n.id, $1, $2::platform."Mode", n.email_index, $5::engagement."SuppressionReason", $6
       FROM unnest($3::uuid[], $4::text[]) AS n(id, email_index)
     ON CONFLICT (workspace_id, mode, email_index, reason) DO NOTHING`,
    [...scopeOf(ctx), indexes.map(() => newId(ctx.clock)), indexes, reason, ctx.clock.now()],
  );
}

/** Returns the unsubscribed addresses among the given ones. A bounce alone does not count. */
export async function unsubscribedAmong(ctx: Context, indexes: readonly string[]): Promise<string[]> {
  const rows = await ctx.sql.query<{ emailIndex: string }>(
    `SELECT email_index FROM engagement.suppressions
      WHERE ${inScope()} AND email_index = ANY($3::text[])
        AND reason = 'UNSUBSCRIBED'`,
    [...scopeOf(ctx), indexes],
  );
  return rows.map(({ emailIndex }) => emailIndex);
}

async function rowsOf(ctx: Context, indexes: readonly string[]): Promise<Row[]> {
  return ctx.sql.query<Row>(
    `SELECT email_index, reason, created_at
       FROM engagement.suppressions
      WHERE ${inScope()} AND email_index = ANY($3::text[])
      ORDER BY created_at, reason`,
    [...scopeOf(ctx), indexes],
  );
}

function summary(rows: readonly Row[]): SuppressionState {
  const reasons = [...new Set(rows.map(({ reason }) => reason))];
  return { reasons, isUnsubscribed: reasons.includes('UNSUBSCRIBED'), since: rows[0]?.createdAt ?? null };
}

/** An address with one suppression reason. */
export interface SuppressedAddress {
  readonly id: string;
  readonly reason: SuppressionReason;
  readonly since: Date;
  /** Member of the last message to the address. */
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

/** @returns ids of the deleted rows */
export async function deleteBounced(tx: Context, indexes: readonly string[]): Promise<string[]> {
  const rows = await tx.sql.query<{ id: string }>(
    `DELETE FROM engagement.suppressions
      WHERE ${inScope()} AND email_index = ANY($3::text[]) AND reason = 'BOUNCED' RETURNING id`,
    [...scopeOf(tx), indexes],
  );
  return rows.map(({ id }) => id);
}
