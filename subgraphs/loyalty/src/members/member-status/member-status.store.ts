import type { Scope } from '@loyalty/platform/caller/caller';
import type { Context } from '@loyalty/platform/context';
import { NO_ID } from '@loyalty/platform/values/ids';
import type { MemberStatus } from '../members/members.service.ts';

/** A change of status; undefined fields stay as they are. */
export interface StatusChange {
  readonly to: MemberStatus;
  readonly statusBeforeErasure?: MemberStatus | null;
  readonly eraseAfter?: Date | null;
}

/**
 * False when the member has left the status `from` in the meantime. An unsubscribed
 * member becomes UNSUBSCRIBED instead of ACTIVE.
 */
export async function changeStatus(
  ctx: Context,
  id: string,
  from: MemberStatus,
  change: StatusChange,
): Promise<boolean> {
  const { to, ...erasure } = change;
  const { workspaceId, mode } = ctx.scope;
  const move = async (status: MemberStatus, where: { readonly isUnsubscribed?: boolean }) => {
    const { count } = await ctx.prisma.member.updateMany({
      where: { workspaceId, mode, id, status: from, ...where },
      data: { status, ...erasure, updatedAt: ctx.clock.now() },
    });
    return count > 0;
  };
  if (to !== 'ACTIVE') return move(to, {});
  return (await move('ACTIVE', { isUnsubscribed: false })) || move('UNSUBSCRIBED', { isUnsubscribed: true });
}

/** The status to which the member returns when the erasure is cancelled. */
export async function statusBeforeErasure(ctx: Context, id: string): Promise<MemberStatus | null> {
  const { workspaceId, mode } = ctx.scope;
  const row = await ctx.prisma.member.findFirst({
    where: { workspaceId, mode, id },
    select: { statusBeforeErasure: true },
  });
  return row?.statusBeforeErasure ?? null;
}

/**
 * Records that the member with the address unsubscribed, and changes the status if it is one of `from`. A
 * pending erasure, when cancelled, then returns to UNSUBSCRIBED, too.
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
        WHERE m.workspace_id = $1 AND m.mode = $2::platform."Mode" AND m.email_index = $3
          FOR NO KEY UPDATE
     )
     UPDATE loyalty.members AS m
        SET is_unsubscribed = true,
            status = CASE WHEN before.is_moved THEN 'UNSUBSCRIBED' ELSE m.status END,
            status_before_erasure = CASE WHEN before.is_pending THEN 'UNSUBSCRIBED'
                                         ELSE m.status_before_erasure END,
            updated_at = CASE WHEN before.is_moved OR before.is_pending THEN $5 ELSE m.updated_at END
       FROM before
      WHERE m.workspace_id = $1 AND m.mode = $2::platform."Mode" AND m.id = before.id
        AND (before.is_moved OR before.is_pending OR NOT m.is_unsubscribed)
     RETURNING m.id, before.is_moved AS "isMoved"`,
    [workspaceId, mode, emailIndex, from, ctx.clock.now()],
  );
  return row?.isMoved ? row.id : null;
}

/** A member with workspace and mode, for jobs that run over all workspaces. */
export interface ScopedMember extends Scope {
  readonly id: string;
}

const ref = 'm.id, m.workspace_id AS "workspaceId", m.mode';

/** Where the scan of all members begins: before the first workspace. */
export const FIRST_MEMBER: ScopedMember = { workspaceId: NO_ID, mode: 'LIVE', id: NO_ID };

const keyOf = ({ workspaceId, mode, id }: ScopedMember) => [workspaceId, mode, id];

/** The last of the next `count` members of all workspaces by key; null when there are no more. */
export async function endOfChunk(
  ctx: Context,
  after: ScopedMember,
  count: number,
): Promise<ScopedMember | null> {
  const [row] = await ctx.sql.query<ScopedMember>(
    `/* every workspace */ SELECT ${ref}
       FROM (SELECT workspace_id, mode, id FROM loyalty.members
              WHERE (workspace_id, mode, id) > ($1::uuid, $2::platform."Mode", $3::uuid)
              ORDER BY workspace_id, mode, id LIMIT $4) AS m
      ORDER BY m.workspace_id DESC, m.mode DESC, m.id DESC LIMIT 1`,
    [...keyOf(after), count],
  );
  return row ?? null;
}

/** Marks members in a range of keys as inactive who had no activity since `idleSince`. */
export async function markIdle(
  ctx: Context,
  range: { readonly after: ScopedMember; readonly to: ScopedMember },
  from: readonly MemberStatus[],
  idleSince: Date,
): Promise<ScopedMember[]> {
  return ctx.sql.query<ScopedMember>(
    `/* every workspace */ WITH idle AS MATERIALIZED (
       SELECT workspace_id, mode, id FROM loyalty.members
        WHERE (workspace_id, mode, id) > ($1::uuid, $2::platform."Mode", $3::uuid)
          AND (workspace_id, mode, id) <= ($4::uuid, $5::platform."Mode", $6::uuid)
          AND status = ANY($7::loyalty."MemberStatus"[]) AND last_activity_at <= $8
        ORDER BY workspace_id, mode, id FOR NO KEY UPDATE SKIP LOCKED
     )
     UPDATE loyalty.members AS m SET status = 'INACTIVE', updated_at = $9 FROM idle
      WHERE m.workspace_id = idle.workspace_id AND m.mode = idle.mode AND m.id = idle.id
     RETURNING ${ref}`,
    [...keyOf(range.after), ...keyOf(range.to), from, idleSince, ctx.clock.now()],
  );
}
