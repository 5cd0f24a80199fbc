import type { Scope } from '@loyalty/platform/base/caller';
import type { Context } from '@loyalty/platform/context';
import { inScope, scopeOf } from '@loyalty/platform/database/scope-sql';
import { activeStatus } from '../members/member-sql.ts';
import type { MemberStatus } from '../members/members.service.ts';

/** A change of status; undefined fields do not change. */
export interface StatusChange {
  readonly to: MemberStatus;
  readonly statusBeforeErasure?: MemberStatus | null;
  readonly eraseAfter?: Date | null;
}

/**
 * Returns false if the member no longer has the status `from`. An unsubscribed member becomes UNSUBSCRIBED
 * instead of ACTIVE.
 */
export async function changeStatus(
  ctx: Context,
  id: string,
  from: MemberStatus,
  change: StatusChange,
): Promise<boolean> {
  const { to, ...erasure } = change;
  const move = async (status: MemberStatus, where: { readonly isUnsubscribed?: boolean }) => {
    const { count } = await ctx.prisma.member.updateMany({
      where: { id, status: from, ...where },
      data: { status, ...erasure, updatedAt: ctx.clock.now() },
    });
    return count > 0;
  };
  if (to !== 'ACTIVE') return move(to, {});
  return (await move('ACTIVE', { isUnsubscribed: false })) || move('UNSUBSCRIBED', { isUnsubscribed: true });
}

/** Returns the status to which the member returns if the erasure is cancelled. */
export async function statusBeforeErasure(ctx: Context, id: string): Promise<MemberStatus | null> {
  const row = await ctx.prisma.member.findFirst({
    where: { id },
    select: { statusBeforeErasure: true },
  });
  return row?.statusBeforeErasure ?? null;
}

/**
 * Records that the member with the address unsubscribed, and changes the status if it is one of `from`. If a
 * pending erasure is cancelled later, the member returns to UNSUBSCRIBED, too.
 *
 * @returns the member whose status changed
 */
export async function unsubscribeByEmail(
  ctx: Context,
  emailIndex: string,
  from: readonly MemberStatus[],
): Promise<string | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<{ id: string; isMoved: boolean }>(
    `WITH before AS MATERIALIZED (
       SELECT m.id, m.status = ANY($4::loyalty."MemberStatus"[]) AS is_moved,
              m.status = 'DEACTIVATION_PENDING'
                AND m.status_before_erasure = ANY($4::loyalty."MemberStatus"[]) AS is_pending
         FROM loyalty.members AS m
        WHERE ${inScope('m')} AND m.email_index = $3
          FOR NO KEY UPDATE
     )
     UPDATE loyalty.members AS m
        SET is_unsubscribed = true,
            status = CASE WHEN before.is_moved THEN 'UNSUBSCRIBED' ELSE m.status END,
            status_before_erasure = CASE WHEN before.is_pending THEN 'UNSUBSCRIBED'
                                         ELSE m.status_before_erasure END,
            updated_at = CASE WHEN before.is_moved OR before.is_pending THEN $5 ELSE m.updated_at END
       FROM before
      WHERE ${inScope('m')} AND m.id = before.id
        AND (before.is_moved OR before.is_pending OR NOT m.is_unsubscribed)
     RETURNING m.id, before.is_moved`,
    [workspaceId, mode, emailIndex, from, ctx.clock.now()],
  );
  return row?.isMoved ? row.id : null;
}

/** A member with workspace and mode, for jobs that run over all workspaces. */
export interface ScopedMember extends Scope {
  readonly id: string;
}

/** Marks members in a range of ids without activity since `idleSince` as inactive; returns their ids. */
export async function markIdle(
  ctx: Context,
  range: { readonly afterId: string; readonly toId: string },
  from: readonly MemberStatus[],
  idleSince: Date,
): Promise<string[]> {
  const rows = await ctx.sql.query<{ id: string }>(
    `UPDATE loyalty.members AS m SET status = 'INACTIVE', updated_at = $7
      WHERE ${inScope('m')}
        AND m.id = ANY(ARRAY(SELECT i.id FROM loyalty.members AS i
                              WHERE ${inScope('i')} AND i.id > $3 AND i.id <= $4
                                AND i.status = ANY($5::loyalty."MemberStatus"[]) AND i.last_activity_at <= $6
                              ORDER BY i.id FOR NO KEY UPDATE SKIP LOCKED))
     RETURNING m.id`,
    [...scopeOf(ctx), range.afterId, range.toId, from, idleSince, ctx.clock.now()],
  );
  return rows.map(({ id }) => id);
}

/** Records an activity and returns the former status; null for members that are erased or being erased. */
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

/** Returns false if nothing changes, or the member does not exist. */
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
