import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { FIRST_ID, LAST_ID } from './memberships.store.ts';

/**
 * Requests the computation of a segment and of the segments that contain it, because their members also
 * depend on its definition.
 *
 * @returns their ids; empty if the segment is unknown
 */
export async function requestComputations(tx: Context, segmentId: string): Promise<string[]> {
  const rows = await tx.sql.query<{ id: string }>(
    `WITH RECURSIVE wanted AS (
       SELECT s.workspace_id, s.mode, s.id, s.computed_version IS DISTINCT FROM s.version AS is_changed
         FROM engagement.segments AS s WHERE ${inScope('s')} AND s.id = $3
       UNION
       SELECT s.workspace_id, s.mode, s.id, w.is_changed
         FROM engagement.segments AS s
         JOIN wanted AS w ON w.workspace_id = s.workspace_id AND w.mode = s.mode AND w.id = ANY(s.nested_ids)
        WHERE ${inScope('s')}
     )
     UPDATE engagement.segments AS s
        SET computed_to_id = '${FIRST_ID}', failure = NULL,
            computed_version = CASE WHEN s.id <> $3 AND w.is_changed THEN 0 ELSE s.computed_version END
       FROM wanted AS w WHERE ${inScope('s')} AND s.id = w.id
     RETURNING s.id`,
    [...scopeOf(tx), segmentId],
  );
  return rows.map(({ id }) => id);
}

/** Returns the last of the next `size` members, or LAST_ID if there are fewer. */
export async function endOfRange(tx: Context, afterId: string, size: number): Promise<string> {
  const [row] = await tx.sql.query<{ id: string }>(
    `SELECT member_id AS id FROM engagement.profiles
      WHERE ${inScope()} AND member_id > $3 ORDER BY member_id OFFSET $4 LIMIT 1`,
    [...scopeOf(tx), afterId, size - 1],
  );
  return row?.id ?? LAST_ID;
}

/** Deletes unneeded rows: of members who are not in the segment and cannot enter by time alone. */
export async function deleteEmptyRows(
  tx: Context,
  segmentId: string,
  range: { readonly afterId: string; readonly toId: string },
): Promise<void> {
  await tx.sql.query(
    `DELETE FROM engagement.segment_members
      WHERE ${inScope()} AND segment_id = $3 AND member_id > $4 AND member_id <= $5
        AND NOT is_member AND recheck_at IS NULL`,
    [...scopeOf(tx), segmentId, range.afterId, range.toId],
  );
}

/** Writes the last computed member of a running computation. */
export async function saveProgress(tx: Context, segmentId: string, toId: string): Promise<void> {
  await tx.sql.query(`UPDATE engagement.segments SET computed_to_id = $4 WHERE ${inScope()} AND id = $3`, [
    ...scopeOf(tx),
    segmentId,
    toId,
  ]);
}

/** Marks a computation as finished and writes the number of members. */
export async function endComputation(tx: Context, segmentId: string): Promise<void> {
  await tx.sql.query(
    `WITH ended AS (
       UPDATE engagement.segments
          SET computed_to_id = NULL, computed_version = version, computed_at = $4, failure = NULL
        WHERE ${inScope()} AND id = $3
       RETURNING id, member_count
     )
     INSERT INTO engagement.segment_sizes (workspace_id, mode, segment_id, hour, member_count)
     SELECT $1, $2::platform."Mode", id, date_trunc('hour', $4::timestamptz, 'UTC'), member_count FROM ended
     ON CONFLICT (workspace_id, mode, segment_id, hour) DO UPDATE SET member_count = excluded.member_count`,
    [...scopeOf(tx), segmentId, tx.clock.now()],
  );
}

/** Writes the failure of a computation. */
export async function failComputation(ctx: Context, segmentId: string, failure: string): Promise<void> {
  await ctx.sql.query(
    `UPDATE engagement.segments SET computed_to_id = NULL, failure = $4
      WHERE ${inScope()} AND id = $3 AND computed_to_id IS NOT NULL`,
    [...scopeOf(ctx), segmentId, failure],
  );
}
