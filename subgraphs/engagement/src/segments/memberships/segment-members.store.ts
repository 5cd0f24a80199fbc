import { inScope, scopeOf } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';

/**
 * A page of those who are in any of the segments, and in none of the excluded ones, in the order of ids.
 * `OFFSET 0` keeps the planner from joining the whole table where it has no statistics of a segment yet.
 */
export async function membersOfSegments(
  ctx: Context,
  segmentIds: readonly string[],
  page: { readonly afterId: string; readonly limit: number; readonly excludeIds: readonly string[] },
): Promise<string[]> {
  const rows = await ctx.sql.query<{ memberId: string }>(
    `SELECT DISTINCT m.member_id
       FROM unnest($3::uuid[]) AS w(segment_id)
      CROSS JOIN LATERAL (
            SELECT m.member_id FROM engagement.segment_members AS m
             WHERE ${inScope('m')} AND m.segment_id = w.segment_id AND m.member_id > $4 AND m.is_member
               AND NOT EXISTS (
                   SELECT FROM engagement.segment_members AS x
                    WHERE ${inScope('x')} AND x.segment_id = ANY($5::uuid[]) AND x.member_id = m.member_id
                      AND x.is_member
                   OFFSET 0)
             ORDER BY m.member_id LIMIT $6) AS m
      ORDER BY 1 LIMIT $6`,
    [...scopeOf(ctx), segmentIds, page.afterId, page.excludeIds, page.limit],
  );
  return rows.map(({ memberId }) => memberId);
}

/** Those of the members who are in a segment. */
export async function membersAmong(
  ctx: Context,
  segmentId: string,
  memberIds: readonly string[],
): Promise<string[]> {
  const rows = await ctx.sql.query<{ memberId: string }>(
    `SELECT member_id FROM engagement.segment_members
      WHERE ${inScope()} AND segment_id = $3 AND member_id = ANY($4::uuid[]) AND is_member`,
    [...scopeOf(ctx), segmentId, memberIds],
  );
  return rows.map(({ memberId }) => memberId);
}
