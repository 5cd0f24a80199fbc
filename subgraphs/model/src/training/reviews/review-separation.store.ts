import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

export async function isSeparated(ctx: Context): Promise<boolean> {
  const rows = await ctx.sql.query(`SELECT 1 FROM model.review_separations WHERE ${inScope()}`, scopeOf(ctx));
  return rows.length > 0;
}

/** False where nothing changed. */
export async function changeSeparation(tx: Context, isRequired: boolean): Promise<boolean> {
  const rows = isRequired
    ? await tx.sql.query(
        `INSERT INTO model.review_separations (workspace_id, mode, actor, created_at)
         VALUES ($1, $2::platform."Mode", $3, $4) ON CONFLICT DO NOTHING RETURNING 1`,
        [...scopeOf(tx), tx.caller.actor, tx.clock.now()],
      )
    : await tx.sql.query(`DELETE FROM model.review_separations WHERE ${inScope()} RETURNING 1`, scopeOf(tx));
  return rows.length > 0;
}
