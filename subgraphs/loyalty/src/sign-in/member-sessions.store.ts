import type { Context } from '@loyalty/platform/context';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/database/pages';
import { inScope } from '@loyalty/platform/database/scope-sql';

export interface MemberSession {
  readonly id: string;
  readonly memberId: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

const columns = `s.id, s.member_id, s.created_at, s.expires_at, s.revoked_at`;
const scoped = inScope('s');
const keyOf = (ctx: Context, id: string): unknown[] => [ctx.scope.workspaceId, ctx.scope.mode, id];

export async function insertSession(
  ctx: Context,
  session: Pick<MemberSession, 'id' | 'memberId' | 'createdAt' | 'expiresAt'>,
): Promise<void> {
  await ctx.sql.query(
    `INSERT INTO loyalty.member_sessions (workspace_id, mode, id, member_id, actor, created_at, expires_at)
     VALUES ($1, $2::platform."Mode", $3, $4, $5, $6, $7)`,
    [...keyOf(ctx, session.id), session.memberId, ctx.caller.actor, session.createdAt, session.expiresAt],
  );
}

/** Returns the member of a session; null if it was revoked or has expired. */
export async function findMemberOfSession(ctx: Context, id: string): Promise<string | null> {
  const [row] = await ctx.sql.query<{ memberId: string }>(
    `SELECT s.member_id FROM loyalty.member_sessions AS s
      WHERE ${scoped} AND s.id = $3 AND s.revoked_at IS NULL AND s.expires_at > $4`,
    [...keyOf(ctx, id), ctx.clock.now()],
  );
  return row?.memberId ?? null;
}

export async function sessionsPage(
  ctx: Context,
  memberId: string,
  request: PageRequest,
): Promise<Page<MemberSession>> {
  const where = `${scoped} AND s.member_id = $3 AND s.expires_at > $4`;
  const params = [...keyOf(ctx, memberId), ctx.clock.now()];
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<MemberSession>(
    `SELECT ${columns} FROM loyalty.member_sessions AS s
      WHERE ${where} AND ($5::uuid IS NULL OR s.id ${beyond} $5) ORDER BY s.id ${order} LIMIT $6 OFFSET $7`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const [counted] = await ctx.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM loyalty.member_sessions AS s WHERE ${where}`,
      params,
    );
    return counted?.total ?? 0;
  });
}

/**
 * Returns null if there is no such session, or it was revoked or has ended before.
 *
 * @param memberId - the session's member; null for any member
 */
export async function endSession(
  ctx: Context,
  id: string,
  memberId: string | null,
): Promise<MemberSession | null> {
  const [row] = await ctx.sql.query<MemberSession>(
    `UPDATE loyalty.member_sessions AS s SET revoked_at = $4
      WHERE ${scoped} AND s.id = $3 AND s.revoked_at IS NULL AND s.expires_at > $4
        AND ($5::uuid IS NULL OR s.member_id = $5)
     RETURNING ${columns}`,
    [...keyOf(ctx, id), ctx.clock.now(), memberId],
  );
  return row ?? null;
}

/** Returns the number of ended sessions. */
export async function endSessionsOf(ctx: Context, memberId: string): Promise<number> {
  const rows = await ctx.sql.query(
    `UPDATE loyalty.member_sessions AS s SET revoked_at = $4
      WHERE ${scoped} AND s.member_id = $3 AND s.revoked_at IS NULL AND s.expires_at > $4 RETURNING 1`,
    [...keyOf(ctx, memberId), ctx.clock.now()],
  );
  return rows.length;
}
