import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/database/loaders';
import { inScope } from '@loyalty/platform/database/scope-sql';

/**
 * Increases or decreases the count of a type's records. The count is the sum of 16 slots, so that writers
 * seldom wait for each other: the record's id selects the slot. A count of rows would read every record of
 * the type.
 */
export async function countRecord(
  ctx: Context,
  objectTypeId: string,
  recordId: string,
  change: 1 | -1,
): Promise<void> {
  const { workspaceId, mode } = ctx.scope;
  await ctx.sql.query(
    `INSERT INTO loyalty.object_record_counts AS c (workspace_id, mode, object_type_id, slot, records)
     VALUES ($1, $2::platform."Mode", $3, $4, $5)
     ON CONFLICT (workspace_id, mode, object_type_id, slot) DO UPDATE SET records = c.records + $5`,
    [workspaceId, mode, objectTypeId, Number.parseInt(recordId.slice(-1), 16), change],
  );
}

/** Loads the number of records of each type in the mode, without deleted ones. */
export const recordCountByType = loader(async (ctx, objectTypeIds: readonly string[]) => {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query<{ id: string; records: number }>(
    `SELECT object_type_id AS id, sum(records)::int AS records FROM loyalty.object_record_counts
      WHERE ${inScope()} AND object_type_id = ANY($3::uuid[])
      GROUP BY object_type_id`,
    [workspaceId, mode, objectTypeIds],
  );
  return new Map(rows.map(({ id, records }) => [id, records]));
});

/** Returns whether the type has a record in either mode, including deleted ones. */
export async function anyRecord(ctx: Context, objectTypeId: string): Promise<boolean> {
  const rows = await ctx.sql.query(
    `SELECT 1 FROM unnest(enum_range(NULL::platform."Mode")) AS m(mode)
      WHERE EXISTS (SELECT 1 FROM loyalty.object_record_counts AS c
                     WHERE c.workspace_id = $1 AND c.mode = m.mode AND c.object_type_id = $2) LIMIT 1`,
    [ctx.scope.workspaceId, objectTypeId],
  );
  return rows.length > 0;
}

/** Returns the first of the options that a record of either mode has; null if none does. */
export async function optionHeld(
  ctx: Context,
  objectTypeId: string,
  key: string,
  options: readonly string[],
): Promise<string | null> {
  const [row] = await ctx.sql.query<{ option: string }>(
    `SELECT o.option
       FROM unnest($4::text[]) AS o(option), unnest(enum_range(NULL::platform."Mode")) AS m(mode)
      WHERE EXISTS (
              SELECT 1 FROM loyalty.object_records AS r
               WHERE r.workspace_id = $1 AND r.mode = m.mode AND r.object_type_id = $2
                 AND r.deleted_at IS NULL
                 AND r.terms @> loyalty.object_terms($2, m.mode, jsonb_build_object($3::text, o.option)))
      LIMIT 1`,
    [ctx.scope.workspaceId, objectTypeId, key, options],
  );
  return row?.option ?? null;
}
