import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope } from '@loyalty/platform/database/scope-sql';

/** Codes of a pool by status, as stored. */
export interface CouponCounts {
  readonly available: number;
  readonly held: number;
  readonly issued: number;
  readonly redeemed: number;
  readonly voided: number;
}

export type SkipReason = 'REPEATED' | 'EXISTS' | 'INVALID';

/** The result of an import. */
export interface CouponImport {
  readonly importedAt: Date;
  readonly accepted: number;
  readonly skippedCount: number;
  readonly skipped: readonly { readonly code: string; readonly reason: SkipReason }[];
}

/**
 * Loads the counts of pools in the caller's mode. An overdue hold counts as available, because its code can
 * be issued although the scheduled job has not returned it yet.
 */
export const countsByPool = loader(async (ctx, poolIds: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<CouponCounts & { poolId: string }>(
    `SELECT k.pool_id, (k.available + coalesce(o.overdue, 0))::int AS available,
            (k.held - coalesce(o.overdue, 0))::int AS held, k.issued, k.redeemed, k.voided
       FROM (SELECT pool_id, sum(available)::int AS available, sum(held)::int AS held,
                    sum(issued)::int AS issued, sum(redeemed)::int AS redeemed, sum(voided)::int AS voided
               FROM loyalty.coupon_counts
              WHERE ${inScope()} AND pool_id = ANY($3::uuid[])
              GROUP BY pool_id) AS k
       LEFT JOIN (SELECT pool_id, count(*)::int AS overdue
                    FROM loyalty.coupons
                   WHERE ${inScope()} AND held_until <= $4
                     AND pool_id = ANY($3::uuid[])
                   GROUP BY pool_id) AS o USING (pool_id)`,
    [workspaceId, mode, poolIds, ctx.clock.now()],
  );
  return new Map(rows.map(({ poolId, ...counts }) => [poolId, counts]));
});

type StoredImport = Omit<CouponImport, 'importedAt'> & { readonly importedAt: string };

export const lastImportByPool = loader(async (ctx, poolIds: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<{ poolId: string; lastImport: StoredImport }>(
    `SELECT pool_id, last_import FROM loyalty.coupon_stocks
      WHERE ${inScope()} AND pool_id = ANY($3::uuid[])
        AND last_import IS NOT NULL`,
    [workspaceId, mode, poolIds],
  );
  return new Map(
    rows.map(({ poolId, lastImport }): [string, CouponImport] => [
      poolId,
      { ...lastImport, importedAt: new Date(lastImport.importedAt) },
    ]),
  );
});

export async function keepImport(tx: Context, poolId: string, report: CouponImport): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  await tx.sql.query(
    `INSERT INTO loyalty.coupon_stocks AS s (workspace_id, mode, pool_id, last_import)
     VALUES ($1, $2::platform."Mode", $3, $4)
     ON CONFLICT (workspace_id, mode, pool_id) DO UPDATE SET last_import = excluded.last_import`,
    [workspaceId, mode, poolId, JSON.stringify(report)],
  );
}

const AVAILABLE = `(SELECT coalesce(sum(available), 0)::int FROM loyalty.coupon_counts
                     WHERE ${inScope()} AND pool_id = $3)`;

/** Returns the stock as this transaction sees it. */
export async function stockOf(
  ctx: Context,
  poolId: string,
): Promise<{ readonly available: number; readonly isLow: boolean }> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<{ available: number; isLow: boolean }>(
    `SELECT ${AVAILABLE} AS available,
            EXISTS (SELECT 1 FROM loyalty.coupon_stocks
                     WHERE ${inScope()} AND pool_id = $3
                       AND is_low) AS is_low`,
    [workspaceId, mode, poolId],
  );
  return row!;
}

/** Marks a stock as low; returns false if it is marked already. */
export async function markLow(tx: Context, poolId: string): Promise<boolean> {
  const { workspaceId, mode } = tx.scope;
  const rows = await tx.sql.query(
    `INSERT INTO loyalty.coupon_stocks AS s (workspace_id, mode, pool_id, is_low)
     VALUES ($1, $2::platform."Mode", $3, true)
     ON CONFLICT (workspace_id, mode, pool_id) DO UPDATE SET is_low = true WHERE NOT s.is_low
     RETURNING pool_id`,
    [workspaceId, mode, poolId],
  );
  return rows.length > 0;
}

/** Removes the mark if more codes than the threshold are available again. */
export async function unmarkLow(tx: Context, poolId: string, threshold: number): Promise<void> {
  const { workspaceId, mode } = tx.scope;
  await tx.sql.query(
    `UPDATE loyalty.coupon_stocks SET is_low = false
      WHERE ${inScope()} AND pool_id = $3 AND is_low
        AND ${AVAILABLE} > $4`,
    [workspaceId, mode, poolId, threshold],
  );
}
