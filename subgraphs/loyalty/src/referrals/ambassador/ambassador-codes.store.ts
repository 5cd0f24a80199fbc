import { inScope } from '@loyalty/platform/caller/scope-sql';
import type { Context } from '@loyalty/platform/context';
import { loader } from '@loyalty/platform/loading/loaders';
import { type Page, type PageRequest, page, scan } from '@loyalty/platform/loading/pages';
import type { MemberStatus } from '../../members/members/members.service.ts';

export interface AmbassadorCode {
  readonly id: string;
  readonly memberId: string;
  readonly code: string;
  readonly poolId: string | null;
  readonly createdAt: Date;
  /** Null while it is live. */
  readonly deactivatedAt: Date | null;
}

export interface CodeCounts {
  readonly members: number;
  readonly orders: number;
}

const columns = `c.id, c.member_id, c.code, c.pool_id, c.created_at, c.deactivated_at`;
const scoped = inScope('c');

/**
 * Null where the member has a live code or none of the statuses, or the code exists: the unique indexes
 * decide.
 */
export async function insertCode(
  ctx: Context,
  code: Pick<AmbassadorCode, 'id' | 'memberId' | 'code' | 'poolId'>,
  allowedStatuses: readonly MemberStatus[],
): Promise<AmbassadorCode | null> {
  const { workspaceId, mode } = ctx.scope;
  const [row] = await ctx.sql.query<AmbassadorCode>(
    `INSERT INTO loyalty.ambassador_codes AS c (workspace_id, mode, id, member_id, code, pool_id, created_at)
     SELECT $1::uuid, $2::platform."Mode", $4::uuid, m.id, $5::text, $6::uuid, $7::timestamptz
       FROM loyalty.members AS m
      WHERE m.workspace_id = $1 AND m.mode = $2::platform."Mode" AND m.id = $3
        AND m.status = ANY($8::loyalty."MemberStatus"[])
     ON CONFLICT DO NOTHING
     RETURNING ${columns}`,
    [workspaceId, mode, code.memberId, code.id, code.code, code.poolId, ctx.clock.now(), allowedStatuses],
  );
  return row ?? null;
}

export async function findLiveCodeOf(ctx: Context, memberId: string): Promise<AmbassadorCode | null> {
  const [row] = await ctx.sql.query<AmbassadorCode>(
    `SELECT ${columns} FROM loyalty.ambassador_codes AS c
      WHERE ${scoped} AND c.member_id = $3 AND c.deactivated_at IS NULL`,
    [ctx.scope.workspaceId, ctx.scope.mode, memberId],
  );
  return row ?? null;
}

export async function findCode(ctx: Context, id: string): Promise<AmbassadorCode | null> {
  const [row] = await ctx.sql.query<AmbassadorCode>(
    `SELECT ${columns} FROM loyalty.ambassador_codes AS c WHERE ${scoped} AND c.id = $3`,
    [ctx.scope.workspaceId, ctx.scope.mode, id],
  );
  return row ?? null;
}

/** A live code, of a member in one of the statuses. */
export async function liveCode(
  ctx: Context,
  code: string,
  allowedStatuses: readonly MemberStatus[],
): Promise<AmbassadorCode | null> {
  const [row] = await ctx.sql.query<AmbassadorCode>(
    `SELECT ${columns} FROM loyalty.ambassador_codes AS c
       JOIN loyalty.members AS m
         ON m.workspace_id = c.workspace_id AND m.mode = c.mode AND m.id = c.member_id
      WHERE ${scoped} AND c.code = $3 AND c.deactivated_at IS NULL
        AND m.status = ANY($4::loyalty."MemberStatus"[])`,
    [ctx.scope.workspaceId, ctx.scope.mode, code, allowedStatuses],
  );
  return row ?? null;
}

/** Null when there is no such live code. */
export async function endCode(ctx: Context, id: string): Promise<AmbassadorCode | null> {
  const [row] = await ctx.sql.query<AmbassadorCode>(
    `UPDATE loyalty.ambassador_codes AS c SET deactivated_at = $4
      WHERE ${scoped} AND c.id = $3 AND c.deactivated_at IS NULL RETURNING ${columns}`,
    [ctx.scope.workspaceId, ctx.scope.mode, id, ctx.clock.now()],
  );
  return row ?? null;
}

export async function codesPage(
  ctx: Context,
  request: PageRequest,
  filter: { readonly memberId: string | null; readonly isLive: boolean | null },
): Promise<Page<AmbassadorCode>> {
  const where = `${scoped} AND ($3::uuid IS NULL OR c.member_id = $3)
    AND ($4::boolean IS NULL OR (c.deactivated_at IS NULL) = $4)`;
  const params = [ctx.scope.workspaceId, ctx.scope.mode, filter.memberId, filter.isLive];
  const { order, beyond } = scan(request);
  const rows = await ctx.sql.query<AmbassadorCode>(
    `SELECT ${columns} FROM loyalty.ambassador_codes AS c
      WHERE ${where} AND ($5::uuid IS NULL OR c.id ${beyond} $5) ORDER BY c.id ${order} LIMIT $6 OFFSET $7`,
    [...params, request.cursorId, request.size + 1, request.offset],
  );
  return page(request, rows, async () => {
    const sql = `SELECT count(*)::int AS total FROM loyalty.ambassador_codes AS c WHERE ${where}`;
    const [counted] = await ctx.sql.query<{ total: number }>(sql, params);
    return counted?.total ?? 0;
  });
}

export const codeById = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<AmbassadorCode>(
    `SELECT ${columns} FROM loyalty.ambassador_codes AS c WHERE ${scoped} AND c.id = ANY($3::uuid[])`,
    [ctx.scope.workspaceId, ctx.scope.mode, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
});

export const countsByCode = loader(async (ctx, ids: readonly string[]) => {
  const rows = await ctx.sql.query<CodeCounts & { id: string }>(
    `SELECT r.code_id AS id, count(DISTINCT r.member_id)::int AS members, count(o.order_id)::int AS orders
       FROM loyalty.referrals AS r
       LEFT JOIN loyalty.referred_orders AS o
         ON o.workspace_id = r.workspace_id AND o.mode = r.mode AND o.member_id = r.member_id
      WHERE r.workspace_id = $1 AND r.mode = $2::platform."Mode" AND r.code_id = ANY($3::uuid[])
      GROUP BY r.code_id`,
    [ctx.scope.workspaceId, ctx.scope.mode, ids],
  );
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
});
