import { inScope } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { activeStatus } from '../members/member-sql.ts';
import type { MemberStatus } from '../members/members.service.ts';

/** Records an activity and returns the status before it; null for members that are erased or about to be. */
export async function touchMember(
  ctx: Context,
  id: string,
  at: Date,
  activates: readonly MemberStatus[],
): Promise<MemberStatus | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<{ status: MemberStatus }>(
    `WITH before AS MATERIALIZED (
       SELECT m.id, m.status FROM loyalty.members AS m
        WHERE ${inScope('m')} AND m.id = $3
          AND m.status NOT IN ('DEACTIVATION_PENDING', 'DELETED')
          FOR NO KEY UPDATE
     )
     UPDATE loyalty.members AS m
        SET status = CASE WHEN before.status = ANY($4::loyalty."MemberStatus"[]) THEN ${activeStatus()}
                          ELSE before.status END,
            last_activity_at = greatest(m.last_activity_at, $5),
            updated_at = CASE WHEN before.status = ANY($4::loyalty."MemberStatus"[]) THEN $6
                              ELSE m.updated_at END
       FROM before WHERE ${inScope('m')} AND m.id = before.id
     RETURNING before.status`,
    [workspaceId, mode, id, activates, at, ctx.clock.now()],
  );
  return row?.status ?? null;
}

/** False where nothing changes, or the member does not exist. */
export async function changeRestriction(ctx: Context, id: string, isRestricted: boolean): Promise<boolean> {
  const { workspaceId, mode } = ctx.scope;
  const rows = await ctx.sql.query(
    `UPDATE loyalty.members AS m SET is_restricted = $4, updated_at = $5
      WHERE ${inScope('m')} AND m.id = $3
        AND m.status <> 'DELETED' AND m.is_restricted <> $4
     RETURNING m.id`,
    [workspaceId, mode, id, isRestricted, ctx.clock.now()],
  );
  return rows.length > 0;
}
