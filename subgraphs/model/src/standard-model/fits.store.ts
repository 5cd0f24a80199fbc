import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';

export type FitKind = 'INTERVALS' | 'EMAIL_CLICKS' | 'ITEM_POPULARITY' | 'BACKTEST';

interface FitRow {
  readonly kind: FitKind;
  /** Null if the data does not support a fit. */
  readonly content: unknown;
  readonly fittedAt: Date;
}

/** Returns the workspace's fits of these kinds, in one statement. */
export const fitsOf = (ctx: Context, kinds: readonly FitKind[]): Promise<FitRow[]> =>
  ctx.sql.query<FitRow>(
    `SELECT kind, content, fitted_at FROM model.workspace_fits
      WHERE ${inScope()} AND kind = ANY($3::model."WorkspaceFitKind"[])`,
    [...scopeOf(ctx), kinds],
  );

/**
 * Deletes a fit that was made from fewer order lines, so that the next reader counts again. Sets its time, so
 * that counts that began earlier are outdated, too.
 */
export async function dropSmallFit(tx: Context, kind: FitKind, linesMax: number): Promise<void> {
  await tx.sql.query(
    `UPDATE model.workspace_fits SET content = NULL, fitted_at = $5
      WHERE ${inScope()} AND kind = $3::model."WorkspaceFitKind"
        AND (content IS NULL OR (content->>'lines')::int < $4)`,
    [...scopeOf(tx), kind, linesMax, tx.clock.now()],
  );
}

/** Of two concurrent fits the later one is kept. */
export async function upsertFit(
  ctx: Context,
  kind: FitKind,
  content: unknown,
  fittedAt: Date,
): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO model.workspace_fits AS f (workspace_id, mode, kind, content, fitted_at)
     VALUES ($1, $2::platform."Mode", $3::model."WorkspaceFitKind", $4, $5)
     ON CONFLICT (workspace_id, mode, kind) DO UPDATE
        SET content = excluded.content, fitted_at = excluded.fitted_at
      WHERE f.fitted_at <= excluded.fitted_at`,
    [...scopeOf(ctx), kind, content === null ? null : JSON.stringify(content), fittedAt],
  );
}

export type FactTable = 'order_line_facts' | 'event_facts' | 'channel_receipt_facts';

/**
 * Returns the member with which a block of about `size` facts ends; null if fewer remain from `fromId` on.
 */
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
