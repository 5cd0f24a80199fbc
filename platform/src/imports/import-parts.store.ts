import type { Context } from '../context.ts';
import { inScope } from '../database/scope-sql.ts';

const keyOf = (ctx: Context, id: string): unknown[] => [ctx.scope.workspaceId, ctx.scope.mode, id];
const own = `${inScope()} AND import_id = $3`;

/**
 * Stores a part. Returns false if the import is not uploading, or already has this part and must not replace
 * it.
 */
export async function putPart(
  ctx: Context,
  id: string,
  part: {
    readonly number: number;
    readonly size: number;
    readonly sealed: Uint8Array;
    readonly replaces: boolean;
  },
): Promise<boolean> {
  const rows = await ctx.sql.query(
    `INSERT INTO platform.import_parts AS p (workspace_id, mode, import_id, part, size, sealed)
     SELECT i.workspace_id, i.mode, i.id, $4, $5, $6 FROM platform.imports AS i
      WHERE ${inScope('i')} AND i.id = $3 AND i.status = 'UPLOADING'
     ON CONFLICT (workspace_id, mode, import_id, part) DO UPDATE
        SET size = excluded.size, sealed = excluded.sealed WHERE $7
     RETURNING 1`,
    [...keyOf(ctx, id), part.number, part.size, part.sealed, part.replaces],
  );
  return rows.length > 0;
}

/** Deletes the parts from `end` on and returns the size of the others. */
export async function sizeOfParts(
  ctx: Context,
  id: string,
  end: number,
): Promise<{ readonly count: number; readonly bytes: number }> {
  await ctx.sql.query(`DELETE FROM platform.import_parts WHERE ${own} AND part >= $4`, [
    ...keyOf(ctx, id),
    end,
  ]);
  const [row] = await ctx.sql.query<{ count: number; bytes: bigint }>(
    `SELECT count(*)::int AS count, coalesce(sum(size), 0)::bigint AS bytes
       FROM platform.import_parts WHERE ${own}`,
    keyOf(ctx, id),
  );
  return { count: row?.count ?? 0, bytes: Number(row?.bytes ?? 0n) };
}

/** Counts the parts that have arrived, by import. */
export async function countParts(
  ctx: Context,
  ids: readonly string[],
): Promise<readonly { readonly id: string; readonly count: number }[]> {
  return ctx.sql.query(
    `SELECT import_id AS id, count(*)::int AS count FROM platform.import_parts
      WHERE ${inScope()} AND import_id = ANY($3::uuid[]) GROUP BY import_id`,
    [ctx.scope.workspaceId, ctx.scope.mode, ids],
  );
}

export async function findPart(ctx: Context, id: string, part: number): Promise<Uint8Array | null> {
  const [row] = await ctx.sql.query<{ sealed: Uint8Array }>(
    `SELECT sealed FROM platform.import_parts WHERE ${own} AND part = $4`,
    [...keyOf(ctx, id), part],
  );
  return row?.sealed ?? null;
}

export async function deleteParts(ctx: Context, id: string): Promise<void> {
  await ctx.sql.query(`DELETE FROM platform.import_parts WHERE ${own}`, keyOf(ctx, id));
}
