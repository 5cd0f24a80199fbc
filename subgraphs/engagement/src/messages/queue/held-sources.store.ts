import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

/** Notes that nothing of a source is sent; a cancelled one stays so. */
export async function insertHeld(tx: Context, sourceId: string, isCancelled: boolean): Promise<void> {
  await tx.sql.query(
    `INSERT INTO engagement.held_sources AS h (workspace_id, mode, source_id, is_cancelled, held_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5)
     ON CONFLICT (workspace_id, mode, source_id) DO UPDATE SET is_cancelled = h.is_cancelled OR $4`,
    [...scopeOf(tx), sourceId, isCancelled, tx.clock.now()],
  );
}

export async function deleteHeld(tx: Context, sourceId: string): Promise<void> {
  await tx.sql.query(
    `DELETE FROM engagement.held_sources WHERE ${inScope()} AND source_id = $3 AND NOT is_cancelled`,
    [...scopeOf(tx), sourceId],
  );
}

/** Those of the sources that are held, and whether they are cancelled. */
export async function findHeld(
  ctx: Context,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await ctx.sql.query<{ sourceId: string; isCancelled: boolean }>(
    `SELECT source_id, is_cancelled FROM engagement.held_sources
      WHERE ${inScope()} AND source_id = ANY($3::uuid[])`,
    [...scopeOf(ctx), sourceIds],
  );
  return new Map(rows.map(({ sourceId, isCancelled }) => [sourceId, isCancelled]));
}

/** Since when the workspace sends nothing of any source. */
export async function findStopped(ctx: Context): Promise<Date | null> {
  const [row] = await ctx.sql.query<{ stoppedAt: Date | null }>(
    'SELECT stopped_at FROM engagement.message_settings WHERE workspace_id = $1',
    [ctx.scope.workspaceId],
  );
  return row?.stoppedAt ?? null;
}
